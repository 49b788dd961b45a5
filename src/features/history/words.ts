import { calledLine } from '../../core/commands/commands.ts'
import type { Row } from '../../core/commands/define.ts'
import { readLine, writeLine } from '../../core/commands/parse.ts'
import { sentenceOf } from '../../core/commands/phrases.ts'
import type { QueryAnswer } from '../../core/model/answer.ts'
import { isRule } from '../../core/model/records.ts'
import { type Event, isAutomatic, type Past, watchOf } from '../../core/model/request.ts'
import { ruleName } from '../../core/model/rules.ts'
import { maskOf } from '../../core/text/redact.ts'

type Item = QueryAnswer['items'][number]

const hide = maskOf()

/** The line of a request; for an answer to another request, that one's: "approved: stop my-llm". */
export function askedFor({ request, about }: Past, rows: readonly Row[]): Pick<Item, 'text' | 'told'> {
  const { line, status } = request
  const read = readLine(line, rows, 'stored')
  if (about === undefined || read.kind !== 'line' || read.read.row.kind !== 'operation')
    return lineOf(hide(calledWith(request, rows)), rows)
  const { row, values } = read.read
  const { because } = values
  const word = status === 'succeeded' ? read.read.row.words.done.toLowerCase() : row.name
  return { text: hide(`${word}: ${about.deed}${because === undefined ? '' : `, because “${String(because)}”`}`) }
}

function lineOf(text: string, rows: readonly Row[]): Pick<Item, 'text' | 'told'> {
  const told = sentenceOf(text, rows)
  return told[0] === text ? { text } : { text, told }
}

/** The person who asked, or the owner of the rule that did. */
export function askedBy(request: Past['request']): Pick<Item, 'who' | 'through'> {
  const isByRule = isAutomatic(request) && request.asked === undefined
  return { who: request.actor, ...(isByRule && { through: `${watchOf(request)}, made by` }) }
}

/** The line with the endpoint's name, and a rule in words instead of its id. */
function calledWith({ line, endpoint, replaced = [] }: Past['request'], rows: readonly Row[]): string {
  const called = calledLine(line, endpoint, rows)
  const read = readLine(called, rows)
  if (read.kind !== 'line' || read.read.values['rule'] === undefined) return called
  const { row, values } = read.read
  const removed = replaced.filter(isRule).map(ruleName)
  return [writeLine(row, { ...values, rule: undefined }), removed.join('; ') || 'one rule'].join(': ')
}

/** The detail of an event, with any line in it as people read it. */
export function calledIn({ what, detail = '' }: Event, request: Past['request'], rows: readonly Row[]): string {
  const { line, endpoint } = request
  if (detail.startsWith(`${line} — `)) return `${calledWith(request, rows)}${detail.slice(line.length)}`
  return what === 'undo' ? calledLine(detail, endpoint, rows) : detail
}
