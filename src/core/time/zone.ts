import type { Civil, Day } from './calendar.ts'

/** A stretch of time in which a zone keeps one offset, from `from` until before `to`. `offset` is local minus UTC; all in ms. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** What is known of a zone so far: stretches one after the other without a hole, and the one last looked at. */
interface Timeline {
  readonly offsetAt: (ms: number) => number
  stretches: readonly Stretch[]
  last: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** Known at once, and explored at once whenever somebody looks further. */
const reach = 366 * dayMs
/** No zone is further from UTC. */
const furthest = 16 * 3_600_000
/** Probes for changes of the offset. The nearest two in the zones of today are a month apart (Morocco around Ramadan). */
const stride = 7 * dayMs

const timelines = new Map<string, Timeline>()

/** What the clocks on the walls of a zone show at an instant (ms), seconds dropped. Hours set back are shown twice. */
export function localAt(ms: number, zone: string): Civil {
  const line = timelineOf(zone, ms)
  return civil(ms + stretchAt(line, ms).offset)
}

/**
 * The furthest that the clocks of a zone have come by an instant (ms), in minutes since 1970-01-01 00:00 on the wall.
 * Never goes back: while an hour is repeated, it stands at the end of that hour's first pass. So a boundary has passed
 * when its wall time is reached, and each passes once.
 */
export function reachedAt(ms: number, zone: string): number {
  const line = timelineOf(zone, ms)
  const { offset } = stretchAt(line, ms)
  const before = line.stretches[line.last - 1]
  const shown = ms + offset
  return Math.floor((before === undefined ? shown : Math.max(shown, before.to + before.offset - 1)) / minuteMs)
}

/**
 * The instant (ms) at which the clocks of a zone first show a wall time or a later one: within a skipped hour the first
 * instant after the gap, within a repeated hour its first pass. `minute` may be 1440 or more: the next day's.
 */
export function instantOf(day: Day, minute: number, zone: string): number {
  const wall = day * dayMs + minute * minuteMs
  const line = timelineOf(zone, wall)
  let stretch = stretchAt(line, wall - furthest)
  while (stretch.to + stretch.offset <= wall) stretch = stretchAt(line, stretch.to)
  return Math.max(stretch.from, wall - stretch.offset)
}

/** A change of a zone's clocks: when (ms), and how far they go forward (ms; negative is back). */
export interface Shift {
  readonly at: number
  readonly by: number
}

/** The changes of a zone's clocks after `from` and not after `to` (ms). */
export function shiftsBetween(from: number, to: number, zone: string): readonly Shift[] {
  timelineOf(zone, from)
  const { stretches } = timelineOf(zone, to)
  return stretches.flatMap(({ from: at, offset }, index) => {
    const before = stretches[index - 1]
    return before === undefined || at <= from || at > to ? [] : [{ at, by: offset - before.offset }]
  })
}

function civil(wall: number): Civil {
  const day = Math.floor(wall / dayMs)
  return { day, minute: Math.floor((wall - day * dayMs) / minuteMs) }
}

/** The timeline of a zone, known for two days around an instant at least. */
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

/** The first second after `low` at which the offset is another one; at `high` it is. */
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
