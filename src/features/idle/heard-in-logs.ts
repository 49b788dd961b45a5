import { call } from '../../core/commands/call.ts'
import { at } from '../../core/commands/platform-steps.ts'
import type { Endpoint, LogFile, Replica } from '../../core/model/endpoint.ts'
import type { Circumstances, Heard, LogPlace } from '../../core/ports/metrics.ts'
import type { Outcome } from '../../core/ports/platform.ts'
import type { House } from '../../core/ports/services.ts'
import { newestEach, newestFirst } from '../logs/files.ts'
import { linesIn } from '../logs/log-line.ts'
import { type LogEnd, readEnd, readLines, readOn } from '../logs/read.ts'

/** Replicas whose logs are read for one look; of more nobody can read all in good time. */
const most = 8
/** Of a log that is read for the first time only the last lines, which may be of any time. */
const glance = 10

/** Whoever asks may read on in the newest log file of each of these replicas. */
export function hearing(house: House, endpoint: Endpoint, replicas: readonly Replica[]): Pick<Circumstances, 'logs'> {
  return replicas.length > most ? {} : { logs: (from) => heard(house, endpoint, replicas, from) }
}

async function heard(
  house: House,
  endpoint: Endpoint,
  replicas: readonly Replica[],
  from: Readonly<Record<string, LogPlace>>,
): Promise<Readonly<Record<string, Heard>>> {
  const query = { include_history: false }
  const listed = await house.platform.send(
    call('get', '/endpoints/{endpoint_id}/logs', { params: { ...at(endpoint), query } }),
  )
  if (listed.kind !== 'answered') return {}
  const files = newestFirst(listed.answer.filter(({ historical }) => !historical))
  const all: Record<string, Heard> = {}
  // One after the other: people wait for the same API.
  for (const { id } of replicas) {
    const [file] = newestEach(files, id)
    const one = file === undefined ? null : await heardIn(house, endpoint, file, from[id])
    if (one !== null) all[id] = one
  }
  return all
}

async function heardIn(
  house: House,
  endpoint: Endpoint,
  file: LogFile,
  from: LogPlace | undefined,
): Promise<Heard | null> {
  const isKnown = from?.file === file.filename
  const outcome = await readFrom(house, endpoint, file, isKnown ? from.line : undefined)
  if (outcome.kind !== 'answered') return null
  const { lines, last, cutOff } = outcome.answer
  return {
    place: { file: file.filename, line: last },
    // What stands there is only looked at, and neither kept nor shown.
    lines: lines.flatMap((line) => [...linesIn(line)]),
    whole: isKnown && !cutOff,
  }
}

function readFrom(house: House, endpoint: Endpoint, file: LogFile, line: number | undefined): Promise<Outcome<LogEnd>> {
  const read = (from: number, to: number) => readLines(house, endpoint, file, from, to)
  return line === undefined ? readEnd(read, glance) : readOn(read, line)
}
