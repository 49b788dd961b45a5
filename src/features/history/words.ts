import { calledLine } from '../../core/commands/commands.ts'
import type { Row } from '../../core/commands/define.ts'
import { readLine, writeLine } from '../../core/commands/parse.ts'
import type { Shown } from '../../core/model/answer.ts'
import { type Past, watchOf } from '../../core/model/past.ts'
import { type Event, isAutomatic } from '../../core/model/request.ts'
import { weeklyText } from '../../core/model/rules.ts'
import { maskOf } from '../../core/text/redact.ts'
import { instant } from '../../core/time/format.ts'

type Item = Shown['items'][number]

const hide = maskOf()

/** Its line; of an answer to another request what that was, since nobody reads an id: "approved: stop my-llm". */
export function askedFor({ request, about }: Past, rows: readonly Row[]): string {
  const { line, status } = request
  const read = readLine(line, rows, 'stored')
  if (about === undefined || read.kind !== 'line' || read.read.row.kind !== 'operation')
    return hide(calledWith(request, rows))
  const { row, values } = read.read
  const { because } = values
  const word = status === 'succeeded' ? read.read.row.words.done.toLowerCase() : row.name
  return hide(`${word}: ${about.deed}${because === undefined ? '' : `, because “${String(because)}”`}`)
}

/** Whoever asked for it; of what nobody has asked for just now whose rule it is. */
export function askerOf(request: Past['request']): Pick<Item, 'who' | 'through'> {
  const isByRule = isAutomatic(request) && request.asked === undefined
  return { who: request.actor, ...(isByRule && { through: `${watchOf(request)}, made by` }) }
}

/** Its line as people read it: the endpoint by its name, and a rule in words instead of its id. */
function calledWith({ line, endpoint, replaced = [] }: Past['request'], rows: readonly Row[]): string {
  const called = calledLine(line, endpoint, rows)
  const read = readLine(called, rows)
  if (read.kind !== 'line' || read.read.values['rule'] === undefined) return called
  const { row, values } = read.read
  const gone = replaced.flatMap((one) => {
    if (one.kind === 'weekly') return [weeklyText(one)]
    return one.kind === 'once' ? [`${one.want} once, ${instant(one.at)}`] : []
  })
  return [writeLine(row, { ...values, rule: undefined }), gone.join('; ') || 'one rule'].join(': ')
}

/** What is told of it, with the line in it as people read it. */
export function calledIn({ what, detail = '' }: Event, request: Past['request'], rows: readonly Row[]): string {
  const { line, endpoint } = request
  if (detail.startsWith(`${line} — `)) return `${calledWith(request, rows)}${detail.slice(line.length)}`
  return what === 'undo' ? calledLine(detail, endpoint, rows) : detail
}
