import { at, call } from '../../core/commands/call.ts'
import type { Endpoint, LogFile, Replica } from '../../core/model/endpoint.ts'
import type { Circumstances, LogPlace, LogTail } from '../../core/ports/endpoint-use.ts'
import type { Services } from '../../core/ports/services.ts'
import { linesIn, newestEach, newestFirst } from '../logs/files.ts'
import { readEnd, readerOf, readOn } from '../logs/read.ts'

/** With more replicas, no logs are read, because that would take too long. */
const most = 8
/** Lines read from a log that was not read before; they may be of any time. */
const firstLines = 10

/** Lets the watch continue in the newest log file of each replica. */
export function logReader(
  services: Services,
  endpoint: Endpoint,
  replicas: readonly Replica[],
): Pick<Circumstances, 'logs'> {
  return replicas.length > most ? {} : { logs }

  async function logs(from: Readonly<Record<string, LogPlace>>): Promise<Readonly<Record<string, LogTail>>> {
    const params = { ...at(endpoint), query: { include_history: false } }
    const listed = await services.platform.send(call('get', '/endpoints/{endpoint_id}/logs', { params }))
    if (listed.kind !== 'answered') return {}
    const files = newestFirst(listed.answer.filter(({ historical }) => !historical))
    const tails: Record<string, LogTail> = {}
    // One by one, because people wait for the same API.
    for (const { id } of replicas) {
      const [file] = newestEach(files, id)
      const tail = file === undefined ? null : await readLog(file, from[id])
      if (tail !== null) tails[id] = tail
    }
    return tails
  }

  async function readLog(file: LogFile, from: LogPlace | undefined): Promise<LogTail | null> {
    const line = from?.file === file.filename ? from.line : undefined
    const read = readerOf(services, endpoint, file)
    const outcome = await (line === undefined ? readEnd(read, firstLines) : readOn(read, line))
    if (outcome.kind !== 'answered') return null
    const { lines, last, cutOff } = outcome.answer
    const place = { file: file.filename, line: last }
    // The lines are judged, but neither kept nor shown.
    return { place, lines: lines.flatMap((one) => [...linesIn(one)]), whole: line !== undefined && !cutOff }
  }
}
