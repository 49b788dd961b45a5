import { defineQuery } from '../../core/commands/define.ts'
import type { QueryAnswer, Tail } from '../../core/model/query-answer.ts'
import { type Sentence, say } from '../../core/model/words.ts'
import { type LogsValues, logFields, offersOf, shortName } from './files.ts'

/** The most characters in a message, in an answer to a program, in a line of either, and in a file. */
const most = { message: 2_800, program: 40_000, line: 400, file: 1_000_000 } as const

export const logs = defineQuery({
  name: 'logs',
  also: ['log', '로그'],
  hints: 'slow,느려',
  examples: ['logs my-llm', 'logs my-llm lines=200 search="out of memory"', 'logs my-llm replica=m8gce67b'],
  fields: logFields,
  own: 'logs',
  needs: () => 'operator',
  show: (tail, { values, endpoint, byProgram = false }) => {
    const name = endpoint?.name ?? values.endpoint
    const whole = partsOf(tail, Number.POSITIVE_INFINITY)
    const length = byProgram ? most.program : most.message
    const parts = partsOf(tail, Math.floor(length / Math.max(1, tail.tails.length)))
    const isLong = parts.length < whole.length || whole.some((line) => line.length > most.line)
    const read = new Set(tail.tails.map(({ file }) => file.filename))
    const fileName = name.replace(/[^\w.-]+/g, '-').slice(0, 80) || 'endpoint'
    const others = tail.files.filter(({ filename }) => !read.has(filename))
    return {
      title: titleOf(name, tail, values),
      items: [...tail.tails.flatMap(({ note }) => note ?? []), ...tail.unread].map((text) => ({ text })),
      ...(parts.length > 0 && {
        block: parts.map((line) => (line.length <= most.line ? line : `${line.slice(0, most.line - 1)}…`)),
      }),
      foot: [
        isLong ? say('logs.fileTold', { how: byProgram ? 'cut' : 'sent' }) : '',
        whole.length > 0 ? say('logs.zone') : '',
      ],
      ...(endpoint !== undefined && { offers: offersOf(endpoint, others) }),
      ...(isLong &&
        !byProgram && {
          files: [{ name: `${fileName}.log`, text: lastOf(whole, most.file, most.file).join('\n') }],
        }),
    } satisfies QueryAnswer
  },
})

function titleOf(name: string, { tails }: Tail, { search = '' }: LogsValues): Sentence {
  const count = tails.reduce((sum, { lines }) => sum + lines.length, 0)
  const shown = { name, count, replicas: tails.length, replica: tails[0]?.file.replica ?? '' }
  return search === '' ? say('logs.all', shown) : say('logs.found', { ...shown, search })
}

/** Returns the last lines of each replica, at most `characters` each, below its name if there are several. */
function partsOf({ tails }: Tail, characters: number): readonly string[] {
  return tails.flatMap(({ file, lines }) => {
    const texts = lines.map(({ at, text }) => (at === undefined ? text : `${at} ${text}`))
    const head = tails.length > 1 && lines.length > 0 ? [`== ${file.replica} · ${shortName(file)}`] : []
    return [...head, ...lastOf(texts, characters, most.line)]
  })
}

/** Returns the last lines that fit into `characters`; longer lines are cut at `cutAt`. */
function lastOf(all: readonly string[], characters: number, cutAt: number): readonly string[] {
  let left = characters
  const first = all.findLastIndex((line) => {
    left -= Math.min(line.length, cutAt) + 1
    return left < 0
  })
  return all.slice(first + 1)
}
