import { type Day, dayMs, type WallTime } from './calendar.ts'

/** A period with one offset, from `from` until before `to`. `offset` is local minus UTC; all in ms. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** The explored part of a zone: stretches without gaps, and the index of the last one used. */
interface Timeline {
  readonly offsetAt: (ms: number) => number
  stretches: readonly Stretch[]
  last: number
}

const minuteMs = 60_000
/** How far a zone is explored at a time. */
const reach = 366 * dayMs
/** More than any zone's offset from UTC. */
const furthest = 16 * 3_600_000
/** The step of the search for changes of the offset. In today's zones two are at least a month apart (Morocco). */
const stride = 7 * dayMs

const timelines = new Map<string, Timeline>()

/** The local time of an instant (ms), without seconds. An hour that is set back occurs twice. */
export function localAt(ms: number, zone: string): WallTime {
  const line = timelineOf(zone, ms)
  const wall = ms + stretchAt(line, ms).offset
  const day = Math.floor(wall / dayMs)
  return { day, minute: Math.floor((wall - day * dayMs) / minuteMs) }
}

/**
 * The latest local time that a zone has reached by an instant (ms), in minutes since 1970-01-01 00:00. It never goes
 * back: while an hour is repeated, it stays at the end of the first pass. So each boundary passes exactly once.
 */
export function reachedAt(ms: number, zone: string): number {
  const line = timelineOf(zone, ms)
  const { offset } = stretchAt(line, ms)
  const before = line.stretches[line.last - 1]
  const shown = ms + offset
  return Math.floor((before === undefined ? shown : Math.max(shown, before.to + before.offset - 1)) / minuteMs)
}

/** The first instant (ms) at which a zone shows a local time or a later one. A `minute` of 1440 is of the next day. */
export function instantOf(day: Day, minute: number, zone: string): number {
  const wall = day * dayMs + minute * minuteMs
  const line = timelineOf(zone, wall)
  let stretch = stretchAt(line, wall - furthest)
  while (stretch.to + stretch.offset <= wall) stretch = stretchAt(line, stretch.to)
  return Math.max(stretch.from, wall - stretch.offset)
}

/** A change of a zone's clocks, in ms. */
export interface ClockChange {
  readonly at: number
  /** Negative if the clocks go back. */
  readonly by: number
}

/** The changes of a zone's clocks after `from` and up to `to` (ms). */
export function shiftsBetween(from: number, to: number, zone: string): readonly ClockChange[] {
  timelineOf(zone, from)
  const { stretches } = timelineOf(zone, to)
  return stretches.flatMap(({ from: at, offset }, index) => {
    const before = stretches[index - 1]
    return before === undefined || at <= from || at > to ? [] : [{ at, by: offset - before.offset }]
  })
}

/** The timeline of a zone, explored for at least two days around an instant. */
function timelineOf(zone: string, ms: number): Timeline {
  const line = timelines.get(zone) ?? begin(zone, ms)
  const around = 2 * dayMs
  for (let first = line.stretches[0]; first !== undefined && ms - around < first.from; first = line.stretches[0]) {
    line.stretches = joined(explored(line.offsetAt, first.from - reach, first.from), line.stretches)
    line.last = 0
  }
  for (let end = line.stretches.at(-1); end !== undefined && ms + around >= end.to; end = line.stretches.at(-1)) {
    line.stretches = joined(line.stretches, explored(line.offsetAt, end.to, end.to + reach))
  }
  return line
}

function begin(zone: string, ms: number): Timeline {
  const offsetAt = offsetsOf(zone)
  const middle = Math.floor(ms / dayMs) * dayMs
  const line = { offsetAt, stretches: explored(offsetAt, middle - reach, middle + reach), last: 0 }
  timelines.set(zone, line)
  return line
}

function stretchAt(line: Timeline, ms: number): Stretch {
  let stretch = line.stretches[line.last]
  while (stretch !== undefined && ms < stretch.from) stretch = line.stretches[--line.last]
  while (stretch !== undefined && ms >= stretch.to) stretch = line.stretches[++line.last]
  if (stretch === undefined) throw new Error(`No clock is known for ${ms}.`)
  return stretch
}

/** Reads a zone's offset in ms as `Intl` writes it: "GMT+09:00", or "GMT" alone. */
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

/** The first second after `low` with another offset, by bisection; `high` has another one. */
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

function joined(early: readonly Stretch[], late: readonly Stretch[]): readonly Stretch[] {
  const end = early.at(-1)
  const start = late[0]
  if (end === undefined || start === undefined || end.offset !== start.offset) return [...early, ...late]
  return [...early.slice(0, -1), { ...start, from: end.from }, ...late.slice(1)]
}
