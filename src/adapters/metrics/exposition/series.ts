export type Labels = ReadonlyMap<string, string>

const none: Labels = new Map()
const label = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"((?:[^"\\\n]|\\.)*)"[ \t]*(,|(?=\}))/y
const closing = /[ \t]*\}/y
/** The value, perhaps a time stamp, and perhaps an exemplar after a hash, which is ignored. */
const rest = /^[ \t]*(\S+)(?:[ \t]+([^\s#]+))?(?:[ \t]+#.*)?$/
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** The labels and value between `from` and `end`; null if they are malformed. Never throws. */
export function seriesAt(
  text: string,
  from: number,
  end: number,
): { readonly labels: Labels; readonly value: number } | null {
  let at = from
  while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at += 1
  const labels = text[at] === '{' ? labelsAt(text, at + 1, end) : { labels: none, end: at }
  if (labels === null) return null
  const [, value = '', time = '0'] = rest.exec(text.slice(labels.end, end)) ?? []
  return isValue(value) && number.test(time) ? { labels: labels.labels, value: numberOf(value) } : null
}

function labelsAt(text: string, from: number, end: number): { labels: Labels; end: number } | null {
  const labels = new Map<string, string>()
  let at = from
  while (at < end) {
    closing.lastIndex = at
    if (closing.test(text)) return closing.lastIndex <= end ? { labels, end: closing.lastIndex } : null
    label.lastIndex = at
    const [whole, name = '', value = ''] = label.exec(text) ?? []
    if (whole === undefined) return null
    labels.set(name, unescaped(value))
    at += whole.length
  }
  return null
}

function unescaped(value: string): string {
  return value.includes('\\') ? value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one)) : value
}

/** Whether a word is a value. Both formats also allow Inf and NaN. */
export function isValue(word: string): boolean {
  return number.test(word) || /^(?:[+-]?inf|nan)$/i.test(word)
}

function numberOf(word: string): number {
  if (/^[+-]?inf$/i.test(word)) return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(word)
}
