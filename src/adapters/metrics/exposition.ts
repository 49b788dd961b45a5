import { jsonIn } from '../../core/model/formats.ts'

export type Labels = ReadonlyMap<string, string>

interface Series {
  readonly name: string
  readonly labels: Labels
  /** May be infinite or not a number: exporters write both. */
  readonly value: number
}

interface Exposition {
  readonly series: readonly Series[]
  /** Names from TYPE lines. A counter without series is zero. */
  readonly announced: ReadonlySet<string>
}

/** Limits of a page: its characters and lines, the characters of a line, the series that were asked for. */
const max = { characters: 8 * 1024 * 1024, lines: 200_000, line: 65_536, series: 10_000 } as const

/**
 * Reads Prometheus' text format or OpenMetrics; null for anything else. As in Prometheus, one bad line makes the page
 * invalid, because it may hide the line that matters. Lines of other metrics are only checked for not being prose. Some
 * servers wrap the text in a JSON string (llama.cpp issue 17384), which is unwrapped once.
 */
export function readExposition(text: string, asked: (name: string) => boolean): Exposition | null {
  if (text.length > max.characters) return null
  const inner = text.startsWith('"') ? jsonIn(text) : text
  if (typeof inner !== 'string') return null
  const lines = inner.split('\n', max.lines + 1)
  if (lines.length > max.lines) return null
  const series: Series[] = []
  const announced = new Set<string>()
  let samples = 0
  let name = ''
  let wanted = false
  for (const whole of lines) {
    if (whole.length > max.line) return null
    const line = whole.trim()
    if (line === '') continue
    if (line.startsWith('#')) {
      if (line.startsWith('# EOF')) break
      const typed = line.startsWith('# TYPE ') ? nameIn(line.slice(7)) : ''
      if (typed !== '' && asked(typed)) announced.add(typed)
      continue
    }
    samples += 1
    // Lines of one name follow each other, so `asked` is called once for all of them.
    if (name === '' || !line.startsWith(name) || !endsName.includes(line.charAt(name.length))) {
      name = nameIn(line)
      // Names with other characters are quoted inside the braces. No server family has one.
      if (name === '' && !line.startsWith('{"')) return null
      wanted = name !== '' && asked(name)
    }
    const after = line.slice(name.length).trimStart()
    if (!wanted) {
      if (!isPlausible(after)) return null
      continue
    }
    const found = seriesIn(after)
    if (found === null || series.length >= max.series) return null
    series.push({ name, ...found })
  }
  return samples + announced.size > 0 ? { series, announced } : null
}

const endsName = '{ \t'
const metricName = /^[a-z_:][\w:]*(?=[{ \t])/i

/** Returns '' if there is no name, or nothing follows it. */
function nameIn(line: string): string {
  return metricName.exec(line)?.[0] ?? ''
}

/** What a value ends with: a digit, or the last letter of Inf or NaN. */
const lastOfValue = '0123456789fFN'

/** Whether a line looks like a series: with labels it ends like a number, without them a number follows its name. */
function isPlausible(after: string): boolean {
  if (after.startsWith('{')) return lastOfValue.includes(after.charAt(after.length - 1))
  return numberOf(after.split(/[ \t]/, 1)[0] ?? '') !== null
}

const label = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"((?:[^"\\\n]|\\.)*)"[ \t]*(,|(?=\}))/y
const closing = /[ \t]*\}/y
/** The value, perhaps a timestamp, and perhaps an exemplar after a hash, which is ignored. */
const rest = /^[ \t]*(\S+)(?:[ \t]+([^\s#]+))?(?:[ \t]+#.*)?$/
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Reads the labels and the value that follow a name; null if they are malformed. Never throws. */
function seriesIn(after: string): Omit<Series, 'name'> | null {
  const read = after.startsWith('{') ? labelsIn(after) : { labels: new Map(), end: 0 }
  if (read === null) return null
  const [, word = '', time = '0'] = rest.exec(after.slice(read.end)) ?? []
  const value = numberOf(word)
  return value !== null && number.test(time) ? { labels: read.labels, value } : null
}

function labelsIn(text: string): { labels: Labels; end: number } | null {
  const labels = new Map<string, string>()
  for (let at = 1; ; ) {
    closing.lastIndex = at
    if (closing.test(text)) return { labels, end: closing.lastIndex }
    label.lastIndex = at
    const [whole, name = '', value = ''] = label.exec(text) ?? []
    if (whole === undefined) return null
    labels.set(name, unescaped(value))
    at += whole.length
  }
}

function unescaped(value: string): string {
  return value.includes('\\') ? value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one)) : value
}

/** Returns null if a word is no value. Both formats also allow Inf and NaN. */
function numberOf(word: string): number | null {
  if (/^[+-]?inf$/i.test(word)) return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return number.test(word) || /^nan$/i.test(word) ? Number(word) : null
}
