import { at, call } from '../../core/commands/call.ts'
import { defineQuery } from '../../core/commands/define.ts'
import type { LogFile } from '../../core/model/endpoint.ts'
import type { LogLine, QueryAnswer, Tail, Tailed } from '../../core/model/query-answer.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import type { Outcome } from '../../core/ports/platform.ts'
import type { OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import { maskOf } from '../../core/text/redact.ts'
import {
  filesNamed,
  type LogsValues,
  linesIn,
  logFields,
  newestEach,
  newestFirst,
  noFile,
  offersOf,
  shortName,
  terminalText,
} from './files.ts'
import { type LogEnd, lastReadable, readEnd, readerOf } from './read.ts'

const zoned = /:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/
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
    const isZoned = tail.tails.every(({ lines }) => lines.every(({ at = '' }) => zoned.test(at)))
    const read = new Set(tail.tails.map(({ file }) => file.filename))
    const fileName = `${name.replace(/[^\w.-]+/g, '-').slice(0, 80) || 'endpoint'}.log`
    const others = tail.files.filter(({ filename }) => !read.has(filename))
    return {
      title: titleOf(name, tail, values),
      items: [...tail.tails.flatMap(({ note }) => note ?? []), ...tail.unread].map((text) => ({ text })),
      ...(parts.length > 0 && {
        block: parts.map((line) => (line.length <= most.line ? line : `${line.slice(0, most.line - 1)}…`)),
      }),
      foot: [isLong ? say('logs.fileTold', { how: byProgram ? 'cut' : 'sent' }) : '', isZoned ? '' : say('logs.zone')],
      ...(endpoint !== undefined && { offers: offersOf(endpoint, others) }),
      ...(isLong &&
        !byProgram && { files: [{ name: fileName, text: lastOf(whole, most.file, most.file).join('\n') }] }),
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

const usualLines = 50
/** The most files read for one answer, and the most lines and characters searched in each. */
const limits = { files: 4, searched: 5_000, characters: 2_000_000, lines: 20_000 } as const
/** Characters searched before other work in this process gets a turn. Masking one costs as much as searching 20. */
const [turn, maskingCost] = [320_000, 20]

/** Returns the last lines of an endpoint's newest log files, with secrets masked. */
export async function tailOf(services: Services, { values, endpoint }: QueryInput): Promise<OwnOutcome<Tail>> {
  if (endpoint === undefined) throw new Error('Logs need an endpoint.')
  const asked = values as LogsValues
  const listed = await services.platform.send(call('get', '/endpoints/{endpoint_id}/logs', { params: at(endpoint) }))
  if (listed.kind !== 'answered') return listed
  const files = newestFirst(listed.answer)
  const fitting = asked.file === undefined ? newestEach(files, asked.replica) : filesNamed(files, asked.file)
  const chosen = fitting.slice(0, limits.files)
  if (chosen.length === 0 || (asked.file !== undefined && fitting.length > 1)) return noFile(endpoint, files, asked)

  const known = await services.seals?.known()
  const hide = maskOf(known === undefined ? {} : { known })
  const wanted = asked.search ? limits.searched : (asked.lines ?? usualLines)
  const ends = await Promise.all(
    chosen.map(async (file) => ({ file, end: await readEnd(readerOf(services, endpoint, file), wanted) })),
  )
  const tails: Tailed[] = []
  const unread: Words[] = []
  let failure: OwnOutcome<Tail> | undefined
  // One after the other, so that other work gets its turn.
  for (const { file, end } of ends) {
    const outcome = await tailedOf(file, end)
    if (outcome.kind === 'answered') {
      tails.push(outcome.answer)
      continue
    }
    failure ??= outcome
    const { says } = outcome
    const why = typeof says === 'string' ? hide(terminalText(says)) : says
    unread.push(say('logs.unread', { replica: file.replica, why }))
  }
  if (tails.length === 0 && failure !== undefined) return failure
  const [next, ...others] = fitting.slice(limits.files)
  if (next) unread.push(say('logs.more', { count: others.length + 1, example: `replica=${next.replica}` }))
  return { kind: 'answered', answer: { tails, files, unread } }

  async function tailedOf(file: LogFile, end: Outcome<LogEnd>): Promise<Outcome<Tailed>> {
    if (end.kind === 'refused' && end.status === 404) {
      const note = say('logs.gone', { file: shortName(file) })
      return { kind: 'answered', answer: { file, lines: [], note } }
    }
    if (end.kind !== 'answered') return end
    const found = await foundIn(end.answer.lines)
    const ended = file.historical && { note: say('logs.ended', { replica: file.replica }) }
    const note = end.answer.cutOff && { note: say('logs.cutOff', { file: shortName(file), most: lastReadable }) }
    return { kind: 'answered', answer: { file, lines: found, ...ended, ...note } }
  }

  /** Returns the newest lines with a word, oldest first. They match after masking, so no search can guess a secret. */
  async function foundIn(records: readonly string[]): Promise<readonly LogLine[]> {
    const { lines: wanted = usualLines, search = '' } = asked
    const word = search.toLowerCase()
    const found: LogLine[] = []
    let characters: number = limits.characters
    let lines: number = limits.lines
    let work = 0
    for (const record of records.toReversed()) {
      for (const line of linesIn(record)) {
        if (found.length === wanted || characters < 0 || lines === 0) return found.toReversed()
        lines -= 1
        characters -= line.text.length
        work += line.text.length
        const text = terminalText(line.text)
        if (text.toLowerCase().includes(word)) {
          work += maskingCost * line.text.length
          const shown = hide(text)
          const at = line.at === undefined ? {} : { at: hide(terminalText(line.at)) }
          if (shown.toLowerCase().includes(word)) found.push({ ...at, text: shown })
        }
        if (work < turn) continue
        work = 0
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
    return found.toReversed()
  }
}
