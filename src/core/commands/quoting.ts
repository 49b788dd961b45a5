import type { Row } from './define.ts'
import { rowOf, type Word } from './field-of-word.ts'
import { isPolite } from './sentence.ts'

/** Phones and word processors use their own quotation marks, so any mark of a family closes a quotation. */
const families = ['"“”„‟«»', "'‘’‚"] as const

/** Replaces each white space with a blank and removes invisible characters. */
export function inOneLine(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

/**
 * Splits a line into words, in linear time. Quotes at the start of a value keep blanks (`reason="moving to v2"`, `stop
 * "my llm"`). Inside quotes, a backslash escapes the next character. Null if a quotation mark is not closed.
 */
export function wordsOf(text: string): readonly Word[] | null {
  const line = inOneLine(text)
  const words: Word[] = []
  let at = 0
  while (at < line.length) {
    if (line[at] === ' ') {
      at += 1
      continue
    }
    const key = /(?:[a-z][a-z_-]{0,40}|사유)=/iy
    key.lastIndex = at
    const named = key.exec(line)?.[0]
    if (named !== undefined) at += named.length
    const marks = families.find((family) => family.includes(line[at] ?? ' '))
    const value = marks === undefined ? readUnquoted(line, at) : readQuoted(line, at, marks)
    if (value === null) return null
    const name = named?.slice(0, -1).toLowerCase()
    words.push(
      name === undefined ? { value: value.text } : { key: name === '사유' ? 'reason' : name, value: value.text },
    )
    at = value.end
  }
  return words
}

/** Reads a value in quotes that begins at `start`; null if they are not closed. */
function readQuoted(line: string, start: number, marks: string): { text: string; end: number } | null {
  let text = ''
  for (let at = start + 1; at < line.length; at += 1) {
    if (marks.includes(line.charAt(at))) return { text, end: at + 1 }
    if (line[at] === '\\' && at + 1 < line.length) at += 1
    text += line[at]
  }
  return null
}

function readUnquoted(line: string, start: number): { text: string; end: number } {
  const blank = line.indexOf(' ', start)
  const end = blank === -1 ? line.length : blank
  return { text: line.slice(start, end), end }
}

export function writeTyped({ key, value }: Word): string {
  return (key === undefined ? '' : `${key}=`) + writeWord(value)
}

/** Writes a value so that `wordsOf` reads it back unchanged. */
export function writeWord(value: string): string {
  return /^[\w.,@#:/+-]+$/.test(value) ? value : `"${inOneLine(value).replace(/["“”„‟«»\\]/g, '\\$&')}"`
}

/** How a question for the approvers begins or ends, unlike "ask who can approve" and "승인요청 몇 건이야?". */
const asksLeave = /^(may|can|could|shall|should|is it) |(까요?|나요|[되돼]요)[?.]*$/i

/** Puts the question of "ask may I use 8 GPUs?" in quotes, up to its reason, so that none of its words is read otherwise. */
export function withQuestion(line: string, rows: readonly Row[]): string {
  const [typed, verb = ''] = /^\s*(\S+)\s+(?!["“”„‟«»'‘’‚])/.exec(line) ?? []
  const row = rowOf(verb.toLowerCase(), rows)
  if (typed === undefined || row === undefined || !('question' in row.fields)) return line
  const [question = '', ...reason] = line
    .slice(typed.length)
    .trim()
    .split(/\s(?=(?:reason|because|사유)=)/i)
  const asked = question.split(' ').filter((word) => !isPolite(word))
  // A word with a key, such as the reason, may come first.
  if (asked.length < 2 || !asksLeave.test(question.trim()) || /^\S+=/.test(question)) return line
  return [verb, writeWord(question.trim()), ...reason].join(' ')
}
