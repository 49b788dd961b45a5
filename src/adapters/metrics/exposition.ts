import { jsonIn } from '../../core/model/formats.ts'

export type Labels = ReadonlyMap<string, string>

interface Series {
  readonly name: string
  readonly labels: Labels
  /** May be infinite or not a number: exporters write both. */
  readonly value: number
}

export interface Exposition {
  readonly series: readonly Series[]
  /** Names from TYPE lines. A counter without series is zero. */
  readonly announced: ReadonlySet<string>
}

/** Limits of a page: its characters and lines, the characters of a line, the series that were asked for. */
const max = { characters: 8 * 1024 * 1024, lines: 200_000, line: 65_536, series: 10_000 } as const

const [tab, carriageReturn, blank, quote, hash, brace] = [9, 13, 32, 34, 35, 123] as const

/**
 * Reads Prometheus' text format or OpenMetrics; null for anything else. As in Prometheus, one bad line makes the page
 * invalid, because it may hide the line that matters. Lines of other metrics are only checked for not being prose. Some
 * servers wrap the text in a JSON string (llama.cpp issue 17384), which is unwrapped once.
 */
export function readExposition(text: string, asked: (name: string) => boolean): Exposition | null {
  if (text.length > max.characters) return null
  const inner = text.charCodeAt(0) === quote ? jsonIn(text) : text
  return typeof inner === 'string' ? read(inner, asked) : null
}

function read(text: string, asked: (name: string) => boolean): Exposition | null {
  const series: Series[] = []
  const announced = new Set<string>()
  let samples = 0
  let name = ''
  let before = 0
  let wanted = false
  let lines = 0
  let end = 0
  for (let start = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    if (++lines > max.lines || end - start > max.line) return null
    const at = pastBlanks(text, start, end)
    const last = beforeBlanks(text, at, end)
    if (at === last) continue
    if (text.charCodeAt(at) === hash) {
      if (text.startsWith('# EOF', at)) break
      const typed = text.startsWith('# TYPE ', at) ? nameAt(text, at + 7, last) : ''
      if (typed !== '' && asked(typed)) announced.add(typed)
      continue
    }
    samples += 1
    // Lines of one name follow each other, so `asked` is called once for all of them.
    if (name === '' || !isSameName(text, before, at, name.length)) {
      name = nameAt(text, at, last)
      // Names with other characters are quoted inside the braces. No server family has one.
      if (name === '' && !text.startsWith('{"', at)) return null
      wanted = name !== '' && asked(name)
    }
    before = at
    if (!wanted) {
      if (!isPlausible(text, at + name.length, last)) return null
      continue
    }
    const found = seriesAt(text, at + name.length, last)
    if (found === null || series.length >= max.series) return null
    series.push({ name, ...found })
  }
  return samples + announced.size > 0 ? { series, announced } : null
}

function pastBlanks(text: string, from: number, end: number): number {
  let at = from
  while (at < end && isBlank(text.charCodeAt(at))) at += 1
  return at
}

function beforeBlanks(text: string, from: number, end: number): number {
  let at = end
  while (at > from && isBlank(text.charCodeAt(at - 1))) at -= 1
  return at
}

function isBlank(code: number): boolean {
  return code === blank || code === tab || code === carriageReturn
}

const metricName = /[a-z_:][\w:]*(?=[{ \t])/iy

/** Returns '' if there is no name, or nothing follows it. */
function nameAt(text: string, from: number, end: number): string {
  metricName.lastIndex = from
  const [name = ''] = metricName.exec(text) ?? []
  return from + name.length < end ? name : ''
}

/** Whether the name at `other` is also at `at`. Comparing characters is many times faster than slicing. */
function isSameName(text: string, other: number, at: number, length: number): boolean {
  for (let i = 0; i < length; i += 1) {
    if (text.charCodeAt(other + i) !== text.charCodeAt(at + i)) return false
  }
  return endsName(text.charCodeAt(at + length))
}

function endsName(code: number): boolean {
  return code === brace || code === blank || code === tab
}

/** What a value ends with: a digit, or the last letter of Inf or NaN. */
const lastOfValue = '0123456789fFN'

/** Whether a line looks like a series: with labels it ends like a number, without them a number follows its name. */
function isPlausible(text: string, from: number, end: number): boolean {
  const at = pastBlanks(text, from, end)
  if (text.charCodeAt(at) === brace) return lastOfValue.includes(text.charAt(end - 1))
  let to = at
  while (to < end && !isBlank(text.charCodeAt(to))) to += 1
  return numberOf(text.slice(at, to)) !== null
}

const label = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"((?:[^"\\\n]|\\.)*)"[ \t]*(,|(?=\}))/y
const closing = /[ \t]*\}/y
/** The value, perhaps a timestamp, and perhaps an exemplar after a hash, which is ignored. */
const rest = /^[ \t]*(\S+)(?:[ \t]+([^\s#]+))?(?:[ \t]+#.*)?$/
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Reads the labels and value between `from` and `end`; null if they are malformed. Never throws. */
function seriesAt(text: string, from: number, end: number): Omit<Series, 'name'> | null {
  const at = pastBlanks(text, from, end)
  const labels = text[at] === '{' ? labelsAt(text, at + 1, end) : { labels: new Map(), end: at }
  if (labels === null) return null
  const [, word = '', time = '0'] = rest.exec(text.slice(labels.end, end)) ?? []
  const value = numberOf(word)
  return value !== null && number.test(time) ? { labels: labels.labels, value } : null
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

/** Returns null if a word is no value. Both formats also allow Inf and NaN. */
function numberOf(word: string): number | null {
  if (/^[+-]?inf$/i.test(word)) return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return number.test(word) || /^nan$/i.test(word) ? Number(word) : null
}
