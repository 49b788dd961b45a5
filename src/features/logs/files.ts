import { count, endpointName, optional, text, type Values } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/parse.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint, LogFile } from '../../core/model/endpoint.ts'

export const logFields = {
  endpoint: endpointName(),
  replica: optional(text('replica', 'replica', 100)),
  lines: optional({ ...count('lines', 'lines', [1, 1_000]), hint: 'lines=50' }),
  search: optional(text('search', 'search', 100)),
  file: optional(text('file', 'file', 300)),
}
export type LogsValues = Values<typeof logFields>

/** Live files first, then by their end, or by their name, which holds the day. */
export function newestFirst(files: readonly LogFile[]): readonly LogFile[] {
  const keyOf = ({ historical, end, start, filename }: LogFile) =>
    [historical ? '0' : '1', end ?? start ?? '', filename].join('\u0000')
  return files.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
}

/** The newest file of each live replica, or the newest of all if none lives. `files`: newest first. */
export function newestEach(files: readonly LogFile[], replica: string | undefined): readonly LogFile[] {
  const wanted = files.filter((file) => replica === undefined || file.replica === replica)
  const live = wanted.filter(({ historical }) => !historical)
  const each = live.filter((file, at) => live.findIndex((one) => one.replica === file.replica) === at)
  return each.length > 0 ? each : wanted.slice(0, 1)
}

/** Files with this name, or else with this last part of the name. */
export function filesNamed(files: readonly LogFile[], name: string): readonly LogFile[] {
  const whole = files.filter(({ filename }) => filename === name)
  return whole.length > 0 ? whole : files.filter(({ filename }) => filename.endsWith(`/${name}`))
}

/** The last part of the path, which has the endpoint, the replica and the day. */
export function shortName({ filename }: Pick<LogFile, 'filename'>): string {
  return filename.split('/').at(-1) || filename
}

/** So many fit into one row of buttons. */
const mostOffers = 8

/** Buttons for files, each with its shortest unambiguous name. */
export function offersOf({ id }: Pick<Endpoint, 'id'>, files: readonly LogFile[]): readonly Offer[] {
  return files.slice(0, mostOffers).map((file) => {
    const short = shortName(file)
    const name = filesNamed(files, short).length === 1 ? short : file.filename
    return { label: short, line: `logs ${writeWord(id)} file=${writeWord(name)}` }
  })
}
