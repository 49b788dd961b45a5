import { count, endpointName, optional, text, type Values } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/tokens.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint, LogFile } from '../../core/model/endpoint.ts'

export const logFields = {
  endpoint: endpointName(),
  replica: optional(text('Replica', 'replica', 100)),
  lines: optional({ ...count('Lines', 'lines', [1, 1_000]), hint: 'lines=50' }),
  search: optional(text('Search', 'search', 100)),
  file: optional(text('File', 'file', 300)),
}
export type LogsValues = Values<typeof logFields>

/** Files still being written first, then by when they end; days stand in the names of files that have no times. */
export function newestFirst(files: readonly LogFile[]): readonly LogFile[] {
  const keyOf = ({ historical, end, start, filename }: LogFile) =>
    [historical ? '0' : '1', end ?? start ?? '', filename].join('\u0000')
  return files
    .map((file) => [keyOf(file), file] as const)
    .toSorted(([a], [b]) => (a < b ? 1 : a > b ? -1 : 0))
    .map(([, file]) => file)
}

/** The newest file of each live replica; where none lives, the newest there is. `files` newest first. */
export function newestEach(files: readonly LogFile[], replica: string | undefined): readonly LogFile[] {
  const wanted = files.filter((file) => replica === undefined || file.replica === replica)
  const live = wanted.filter(({ historical }) => !historical)
  const each = live.filter((file, at) => live.findIndex((one) => one.replica === file.replica) === at)
  return each.length > 0 ? each : wanted.slice(0, 1)
}

/** A file by its whole name or by the end of it. */
export function filesNamed(files: readonly LogFile[], name: string): readonly LogFile[] {
  const whole = files.filter(({ filename }) => filename === name)
  return whole.length > 0 ? whole : files.filter(({ filename }) => filename.endsWith(`/${name}`))
}

/** The last part of a file's path, which tells the endpoint, the replica and the day. */
export function shortName({ filename }: Pick<LogFile, 'filename'>): string {
  return filename.split('/').at(-1) || filename
}

/** As many as stand in one row of buttons. */
const mostOffers = 8

/** Files to choose from, by the shortest name that is theirs alone. */
export function offersOf({ id }: Pick<Endpoint, 'id'>, files: readonly LogFile[]): readonly Offer[] {
  return files.slice(0, mostOffers).map((file) => {
    const short = shortName(file)
    const name = filesNamed(files, short).length === 1 ? short : file.filename
    return { label: short, line: `logs ${writeWord(id)} file=${writeWord(name)}` }
  })
}
