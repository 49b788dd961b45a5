/** One word of a line: `key=value`, or a value alone. */
export interface Word {
  readonly key?: string
  readonly value: string
}

/** Phones and word processors write their own marks, so any mark of a family closes a quotation. */
const families = ['"“”„‟«»', "'‘’‚"] as const

/** Replaces every white space by a blank, and removes invisible characters. */
function plain(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

/**
 * Splits a line into words, in linear time. Quotes at the beginning of a value hold blanks together
 * (`because="moving to v2"`, `stop "my llm"`); inside them a backslash escapes the next character. Null if a quotation
 * mark is not closed.
 */
export function wordsOf(text: string): readonly Word[] | null {
  const line = plain(text)
  const words: Word[] = []
  let at = 0
  while (at < line.length) {
    if (line[at] === ' ') {
      at += 1
      continue
    }
    const key = /[a-z][a-z_-]{0,40}=/iy
    key.lastIndex = at
    const named = key.exec(line)?.[0]
    if (named !== undefined) at += named.length
    const marks = familyOf(line[at])
    const value = marks === undefined ? bare(line, at) : quoted(line, at, marks)
    if (value === null) return null
    words.push(
      named === undefined ? { value: value.text } : { key: named.slice(0, -1).toLowerCase(), value: value.text },
    )
    at = value.end
  }
  return words
}

function familyOf(mark: string | undefined): string | undefined {
  return mark === undefined ? undefined : families.find((family) => family.includes(mark))
}

function quoted(line: string, start: number, marks: string): { text: string; end: number } | null {
  let text = ''
  for (let at = start + 1; at < line.length; at += 1) {
    if (marks.includes(line.charAt(at))) return { text, end: at + 1 }
    if (line[at] === '\\' && at + 1 < line.length) at += 1
    text += line[at]
  }
  return null
}

function bare(line: string, start: number): { text: string; end: number } {
  const blank = line.indexOf(' ', start)
  const end = blank === -1 ? line.length : blank
  return { text: line.slice(start, end), end }
}

/** Writes a value so that `wordsOf` reads the same back. */
export function writeWord(value: string): string {
  return /^[\w.,@#:/+-]+$/.test(value) ? value : `"${plain(value).replace(/["“”„‟«»\\]/g, '\\$&')}"`
}
