/** Phones and word processors use their own quotation marks, so any mark of a family closes a quotation. */
export const families = ['"“”„‟«»', "'‘’‚"] as const

/** Replaces each white space with a blank and removes invisible characters. */
export function inOneLine(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

/** Reads a value in quotes that begins at `start`; null if they are not closed. */
export function readQuoted(line: string, start: number, marks: string): { text: string; end: number } | null {
  let text = ''
  for (let at = start + 1; at < line.length; at += 1) {
    if (marks.includes(line.charAt(at))) return { text, end: at + 1 }
    if (line[at] === '\\' && at + 1 < line.length) at += 1
    text += line[at]
  }
  return null
}

/** Reads a value that ends at the next blank. */
export function readUnquoted(line: string, start: number): { text: string; end: number } {
  const blank = line.indexOf(' ', start)
  const end = blank === -1 ? line.length : blank
  return { text: line.slice(start, end), end }
}
