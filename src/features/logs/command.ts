import { defineQuery } from '../../core/commands/define.ts'
import type { QueryAnswer, Tail } from '../../core/model/answer.ts'
import { type LogsValues, logFields, offersOf, shortName } from './files.ts'

/** Characters in a message, in a line of it, and in a file. */
const most = { message: 2_800, line: 400, file: 1_000_000 } as const

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
    const parts = partsOf(tail, Math.floor(most.message / Math.max(1, tail.tails.length)))
    const isLong = parts.length < whole.length || whole.some((line) => line.length > most.line)
    const read = new Set(tail.tails.map(({ file }) => file.filename))
    const fileName = name.replace(/[^\w.-]+/g, '-').slice(0, 80) || 'endpoint'
    const others = tail.files.filter(({ filename }) => !read.has(filename))
    return {
      title: `${name}: ${titleOf(tail, values)}`,
      items: [...tail.tails.flatMap(({ note }) => note ?? []), ...tail.unread].map((text) => ({ text })),
      ...(parts.length > 0 && {
        block: parts.map((line) => (line.length <= most.line ? line : `${line.slice(0, most.line - 1)}…`)),
      }),
      foot: [
        isLong && 'The rest comes to you as a file, by direct message.',
        whole.length > 0 && 'Times are as the platform wrote them; do not rely on their zone.',
      ]
        .filter(Boolean)
        .join(' '),
      ...(endpoint !== undefined && { offers: offersOf(endpoint, others) }),
      ...(isLong && {
        files: [{ name: `${fileName}.log`, text: lastOf(whole, most.file, most.file).join('\n') }],
      }),
    } satisfies QueryAnswer
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

/** The last lines of each replica, in at most `characters` each, below its name if there are several. */
function partsOf({ tails }: Tail, characters: number): readonly string[] {
  return tails.flatMap(({ file, lines }) => {
    const texts = lines.map(({ at, text }) => (at === undefined ? text : `${at} ${text}`))
    const head = tails.length > 1 && lines.length > 0 ? [`== replica ${file.replica} · ${shortName(file)}`] : []
    return [...head, ...lastOf(texts, characters, most.line)]
  })
}

/** The last lines that fit into so many characters; longer lines are cut at `cutAt`. */
function lastOf(all: readonly string[], characters: number, cutAt: number): readonly string[] {
  let left = characters
  const first = all.findLastIndex((line) => {
    left -= Math.min(line.length, cutAt) + 1
    return left < 0
  })
  return all.slice(first + 1)
}
