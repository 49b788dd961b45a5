import { type Day, dayMs, type Misread, misread, type WallTime } from './calendar.ts'

/** A period with one UTC offset, from `from` until before `to`. `offset` is local time minus UTC; all in ms. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

const minuteMs = 60_000
/** How far beyond a requested instant a zone is explored, ms. */
const reach = 366 * dayMs
/** How much around a requested instant must be known, ms: more than any UTC offset and any repeated hour. */
const margin = 2 * dayMs
/** The search step for offset changes, ms. In today's zones, changes are at least a month apart (Morocco). */
const stride = 7 * dayMs

/** Listed once, because `Intl` is slow to list them. */
const zones = Intl.supportedValuesOf('timeZone')
/** The explored stretches of each zone, oldest first and without gaps. */
const timelines = new Map<string, readonly Stretch[]>()

/** Returns the local time of an instant (ms), without seconds. A repeated hour occurs twice. */
export function localAt(ms: number, zone: string): WallTime {
  const { offset } = firstOf(stretchesOf(zone, ms), ({ to }) => ms < to)
  const wall = ms + offset
  const day = Math.floor(wall / dayMs)
  return { day, minute: Math.floor((wall - day * dayMs) / minuteMs) }
}

/**
 * Returns the latest local time that a zone has reached by an instant (ms), in minutes since 1970-01-01 00:00. It never
 * goes back: while an hour repeats, it stays at the end of the first pass. So each boundary passes exactly once.
 */
export function reachedAt(ms: number, zone: string): number {
  let latest = Number.NEGATIVE_INFINITY
  for (const { from, to, offset } of stretchesOf(zone, ms))
    if (from <= ms) latest = Math.max(latest, Math.min(ms, to - 1) + offset)
  return Math.floor(latest / minuteMs)
}

/** Returns the first instant (ms) at which a zone shows this local time or a later one. 1440 is the next day's 0. */
export function instantOf(day: Day, minute: number, zone: string): number {
  const wall = day * dayMs + minute * minuteMs
  const { from, offset } = firstOf(stretchesOf(zone, wall), (one) => wall < one.to + one.offset)
  return Math.max(from, wall - offset)
}

/** Lists a zone's clock changes after `from` and up to `to` (ms). */
export function shiftsBetween(from: number, to: number, zone: string): readonly number[] {
  const [, ...changed] = stretchesOf(zone, from, to)
  return changed.map((stretch) => stretch.from).filter((at) => from < at && at <= to)
}

/** Returns a zone's stretches, explored from well before `from` until well after `to`. */
function stretchesOf(zone: string, from: number, to = from): readonly Stretch[] {
  const known = timelines.get(zone) ?? []
  const begin = known[0]?.from ?? Number.POSITIVE_INFINITY
  const end = known.at(-1)?.to ?? Number.NEGATIVE_INFINITY
  if (begin <= from - margin && to + margin < end) return known
  const first = Math.floor(Math.min(begin, from - reach) / dayMs)
  const last = Math.ceil(Math.max(end, to + reach) / dayMs)
  const stretches = explored(offsetsOf(zone), first * dayMs, last * dayMs)
  timelines.set(zone, stretches)
  return stretches
}

function firstOf(stretches: readonly Stretch[], is: (one: Stretch) => boolean): Stretch {
  const found = stretches.find(is)
  if (found === undefined) throw new Error('No zone offset fits this time.')
  return found
}

/** Reads a zone's offset in ms from what `Intl` writes: "GMT+09:00", or "GMT" alone. */
function offsetsOf(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  return (ms) => {
    const [, sign = '+', hours = 0, minutes = 0, seconds = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(ms)) ?? []
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -size : size
  }
}

function explored(offsetAt: (ms: number) => number, from: number, to: number): readonly Stretch[] {
  const found: Stretch[] = []
  let start = from
  let offset = offsetAt(from)
  for (let probe = from; probe < to; ) {
    const next = Math.min(probe + stride, to)
    if (offsetAt(next) === offset) {
      probe = next
      continue
    }
    const change = changeBetween(offsetAt, probe, next, offset)
    found.push({ from: start, to: change, offset })
    start = change
    probe = change
    offset = offsetAt(change)
  }
  return start < to ? [...found, { from: start, to, offset }] : found
}

/** Finds the first second after `low` with another offset, by bisection; `high` has another one. */
function changeBetween(offsetAt: (ms: number) => number, low: number, high: number, offset: number): number {
  let same = low
  let other = high
  while (other - same > 1000) {
    const middle = Math.floor((same + other) / 2000) * 1000
    if (offsetAt(middle) === offset) same = middle
    else other = middle
  }
  return other
}

/** Common abbreviations. None is accepted: some mean several zones, and `Intl` misreads others. */
const ambiguous: Readonly<Record<string, readonly string[]>> = {
  KST: ['Asia/Seoul'],
  JST: ['Asia/Tokyo'],
  IST: ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
  BST: ['Europe/London', 'Asia/Dhaka'],
  GMT: ['Europe/London', 'UTC'],
  CET: ['Europe/Berlin', 'Europe/Paris'],
  ET: ['America/New_York'],
  EST: ['America/New_York', 'America/Panama'],
  CT: ['America/Chicago'],
  CST: ['America/Chicago', 'Asia/Shanghai'],
  PT: ['America/Los_Angeles'],
  PST: ['America/Los_Angeles', 'Asia/Manila'],
}

/** Parses UTC or a place, in the spelling of the zone database. Abbreviations are refused as ambiguous. */
export function readZone(typed: string): { readonly zone: string } | Misread {
  if (/^utc$/i.test(typed)) return { zone: 'UTC' }
  const name = typed.toUpperCase()
  const places = Object.hasOwn(ambiguous, name) ? ambiguous[name] : undefined
  if (places !== undefined) return misread('zone.ambiguous', { name, places: { any: places } })
  if (/^(?:etc\/|systemv\/|(?:utc|gmt)?[+-]\d)/i.test(typed)) return misread('zone.offset', { typed })
  const unknown = misread('zone.unknown', { typed }, 'zone.forms')
  if (!typed.includes('/')) {
    const place = zones.find((zone) => zone.toUpperCase().endsWith(`/${name}`))
    return place === undefined ? unknown : misread('zone.place', { typed, place })
  }
  if (!isResolved(typed)) return unknown
  return { zone: zones.find((zone) => zone.toUpperCase() === name) ?? typed }
}

function isResolved(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns the place that people call a zone by: "Seoul" for "Asia/Seoul". */
export function placeOfZone(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** Returns "한국", "스페인" or "뉴욕" for such a place; the place itself if Korean has no other name for its time. */
export function placeInKorean(place: string): string {
  const zone = zones.find((one) => placeOfZone(one) === place)
  if (zone === undefined) return place
  const parts = new Intl.DateTimeFormat('ko', { timeZone: zone, timeZoneName: 'shortGeneric' }).formatToParts()
  const [, called] = /^(.+) 시간$/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return called?.replace('대한민국', '한국') ?? place
}
