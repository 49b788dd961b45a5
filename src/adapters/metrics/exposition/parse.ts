import { isValue, type Labels, seriesAt } from './series.ts'

export interface Series {
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
 * invalid, since it may hide the line that matters. Other lines are only checked for not being prose. Some servers wrap
 * the text in a JSON string (llama.cpp issue 17384), which is unwrapped once.
 */
export function readExposition(text: string, asked: (name: string) => boolean): Exposition | null {
  if (text.length > max.characters) return null
  return text.charCodeAt(0) === quote ? unwrapped(text, asked) : read(text, asked)
}

function unwrapped(text: string, asked: (name: string) => boolean): Exposition | null {
  try {
    const inner: unknown = JSON.parse(text)
    return typeof inner === 'string' ? read(inner, asked) : null
  } catch {
    return null
  }
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
      if (text.startsWith('# TYPE ', at)) announce(text, at + 7, last)
      continue
    }
    samples += 1
    // Lines of one name follow each other, so `asked` is called once for all of them.
    if (name === '' || !isSameName(text, before, at, name.length)) {
      name = nameAt(text, at, last)
      if (name === '' && !isQuotedName(text, at)) return null
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

  function announce(line: string, from: number, to: number): void {
    const announcedName = nameAt(line, from, to)
    if (announcedName !== '' && asked(announcedName)) announced.add(announcedName)
  }
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

function nameAt(text: string, from: number, end: number): string {
  let at = from
  while (at < end && isOfName(text.charCodeAt(at), at === from)) at += 1
  return at > from && at < end && endsName(text.charCodeAt(at)) ? text.slice(from, at) : ''
}

/** Whether the name at `other` is also at `at`. Comparing letters is many times faster than cutting texts. */
function isSameName(text: string, other: number, at: number, length: number): boolean {
  for (let i = 0; i < length; i += 1) {
    if (text.charCodeAt(other + i) !== text.charCodeAt(at + i)) return false
  }
  return endsName(text.charCodeAt(at + length))
}

function isOfName(code: number, first: boolean): boolean {
  const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58
  return letter || (!first && code >= 48 && code <= 57)
}

function endsName(code: number): boolean {
  return code === brace || code === blank || code === tab
}

/** Names with other characters stand in quotes inside the braces. No server family has one. */
function isQuotedName(text: string, at: number): boolean {
  return text.charCodeAt(at) === brace && text.charCodeAt(at + 1) === quote
}

/** A digit, or the last letter of Inf or NaN. */
function endsValue(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 102 || code === 70 || code === 78
}

/** Whether a line looks like a series: with labels it ends like a number, without them a number follows its name. */
function isPlausible(text: string, from: number, end: number): boolean {
  const at = pastBlanks(text, from, end)
  if (text.charCodeAt(at) === brace) return endsValue(text.charCodeAt(end - 1))
  let to = at
  while (to < end && !isBlank(text.charCodeAt(to))) to += 1
  return isValue(text.slice(at, to))
}
