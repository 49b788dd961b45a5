import { defineQuery } from '../../core/commands/define.ts'
import type { LogLine, Shown, Tail, Tailed } from '../../core/model/answer.ts'
import { type LogsValues, logFields, offersOf, shortName } from './files.ts'

/** Characters: what a message shows, and what goes into a file beside it. */
const room = { message: 2_800, line: 400, file: 1_000_000 } as const

export const logs = defineQuery({
  name: 'logs',
  also: ['log'],
  summary: 'Show the last lines an endpoint’s replicas wrote.',
  examples: ['logs my-llm', 'logs my-llm lines=200 search="out of memory"', 'logs my-llm replica=m8gce67b'],
  fields: logFields,
  own: 'logs',
  needs: () => 'operator',
  show: (tail, { values, endpoint }) => {
    const name = endpoint?.name ?? values.endpoint
    const whole = partsOf(tail, Number.POSITIVE_INFINITY)
    const parts = partsOf(tail, Math.floor(room.message / Math.max(1, tail.tails.length)))
    const isLong = parts.length < whole.length || whole.some((line) => line.length > room.line)
    const read = new Set(tail.tails.map(({ file }) => file.filename))
    const others = tail.files.filter(({ filename }) => !read.has(filename))
    return {
      title: `${name}: ${titleOf(tail, values)}`,
      items: [...tail.tails.flatMap(({ note }) => note ?? []), ...tail.unread].map((text) => ({ text })),
      ...(parts.length > 0 && { block: parts.map((line) => shortened(line)) }),
      foot: [
        isLong && 'The rest comes to you as a file, by direct message.',
        whole.length > 0 && 'Times are as the platform wrote them; do not rely on their zone.',
      ]
        .filter(Boolean)
        .join(' '),
      ...(endpoint !== undefined && { offers: offersOf(endpoint, others) }),
      ...(isLong && {
        files: [{ name: `${fileName(name)}.log`, text: lastOf(whole, room.file, room.file).join('\n') }],
      }),
    } satisfies Shown
  },
})

function titleOf({ tails }: Tail, { search = '' }: LogsValues): string {
  const found = tails.reduce((sum, { lines }) => sum + lines.length, 0)
  const [first] = tails
  const where = tails.length === 1 && first ? `replica ${first.file.replica}` : `${tails.length} replicas`
  if (search === '') return found === 0 ? `${where} shows no lines` : `the last ${lines(found)} of ${where}`
  return `${found === 0 ? 'no line' : lines(found)} with “${search}” near the end of ${where}`
}

function lines(count: number): string {
  return count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`
}

/** The lines of each replica, newest last, in at most `most` characters each; below its name where there are several. */
function partsOf({ tails }: Tail, most: number): readonly string[] {
  const several = tails.length > 1
  return tails
    .filter(({ lines }) => lines.length > 0)
    .flatMap((tailed) => [...(several ? [headOf(tailed)] : []), ...lastOf(tailed.lines.map(written), most, room.line)])
}

function headOf({ file }: Tailed): string {
  return `== replica ${file.replica} · ${shortName(file)}`
}

function written({ at, text }: LogLine): string {
  return at === undefined ? text : `${at} ${text}`
}

/** The last of these lines that fit into `most` characters; `shown` is where a line is cut. */
function lastOf(all: readonly string[], most: number, shown: number): readonly string[] {
  let left = most
  const first = all.findLastIndex((line) => {
    left -= Math.min(line.length, shown) + 1
    return left < 0
  })
  return all.slice(first + 1)
}

function shortened(line: string): string {
  return line.length <= room.line ? line : `${line.slice(0, room.line - 1)}…`
}

function fileName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').slice(0, 80) || 'endpoint'
}
