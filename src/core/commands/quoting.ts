import type { Row } from './define.ts'
import { rowOf, type Word } from './field-of-word.ts'
import { isPolite } from './sentence.ts'

/** Phones and word processors use their own quotation marks, so any mark of a family closes a quotation. */
const families = ['"“”„‟«»', "'‘’‚"] as const

/** Replaces each white space with a blank and removes invisible characters. */
export function inOneLine(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

/** A value in marks of one family. A backslash escapes the next character. */
const quoted = families.map((marks) => `[${marks}]((?:\\\\.|[^${marks}\\\\])*)[${marks}]`)
const word = new RegExp(` *(?:([a-z][a-z_-]{0,40}|사유)=)?(?:${quoted.join('|')}|([^ ]+)|)`, 'iy')

/**
 * Splits a line into words, in linear time. Quotes at the start of a value keep blanks (`reason="moving to v2"`, `stop
 * "my llm"`). Null if a quotation mark is not closed.
 */
export function wordsOf(text: string): readonly Word[] | null {
  const line = inOneLine(text).trimEnd()
  const words: Word[] = []
  word.lastIndex = 0
  while (word.lastIndex < line.length) {
    const [, name, double, single, bare = ''] = word.exec(line) ?? []
    if (families.some((marks) => marks.includes(bare[0] ?? ' '))) return null
    const value = (double ?? single)?.replace(/\\(.)/g, '$1') ?? bare
    const key = name?.toLowerCase()
    words.push(key === undefined ? { value } : { key: key === '사유' ? 'reason' : key, value })
  }
  return words
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
