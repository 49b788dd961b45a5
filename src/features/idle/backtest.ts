import type { Segment } from '../../core/model/reading.ts'
import type { IdleRule } from '../../core/model/records.ts'
import { knownPart, mostUnknown, quietMs } from './idle-clock.ts'

export interface Backtest {
  readonly stops: number
  /** ms that were known to be quiet after such a stop, until the endpoint was used again. */
  readonly savedMs: number
  /** Stops after which it was used again within the hour. */
  readonly hurt: number
}

const hourMs = 3_600_000
const hurtWithinMs = hourMs
const minuteMs = 60_000
const weekMs = 7 * 86_400_000

/** An idle time, and how long before a stop people are told. ms */
export type Lengths = Pick<IdleRule, 'after' | 'warn'>

/**
 * What an idle time would have done over these segments, oldest first. Nothing is added for what nobody saw: a stop
 * needs as much known quiet as a real one, and only known quiet counts as saved. What is used again within its notice
 * would not have been stopped.
 */
export function wouldHaveStopped(segments: readonly Segment[], lengths: Lengths): Backtest {
  let [stops, savedMs, hurt] = [0, 0, 0]
  for (const stretch of stretches(segments)) {
    const stop = stopIn(stretch.quiet, lengths)
    if (stop === null) continue
    stops += 1
    savedMs += quietMs(stretch.quiet, stop, Number.POSITIVE_INFINITY)
    if (stretch.busyAt !== null && stretch.busyAt - stop <= hurtWithinMs) hurt += 1
  }
  return { stops, savedMs, hurt }
}

interface Stretch {
  /** Quiet and unknown segments without use or restart between them. */
  readonly quiet: readonly Segment[]
  /** When it was used again; null when it was not, or when something else ended the stretch. */
  readonly busyAt: number | null
}

function stretches(segments: readonly Segment[]): readonly Stretch[] {
  const found: Stretch[] = []
  let quiet: Segment[] = []
  for (const segment of segments) {
    const busy = segment.state === 'busy'
    if (!busy && segment.restarted !== true) {
      quiet.push(segment)
      continue
    }
    found.push({ quiet, busyAt: busy ? segment.from : null })
    quiet = []
  }
  return [...found, { quiet, busyAt: null }]
}

/**
 * The first instant that lies a notice after one at which the clock stood at the idle time, with enough known at both and
 * all between. With too little known a notice is taken back, and the clock begins anew.
 */
function stopIn(stretch: readonly Segment[], { after, warn }: Lengths): number | null {
  const first = stretch[0]?.from ?? 0
  const [quietBy, quietBefore] = [counting(stretch), counting(stretch)]
  let [since, told]: [number, number | null] = [first, null]
  for (const { state, from, to } of stretch) {
    for (let at = Math.max(from, first + after); at <= to; at += minuteMs) {
      const known = quietBy(at) - quietBefore(at - after)
      const isKnown = 1 - known / after <= mostUnknown
      if (told === null && isKnown && state === 'quiet' && at - since >= after) told = at
      if (told === null) continue
      const isDue = at >= told + warn
      if (isDue && isKnown && state === 'quiet') return at
      if (isDue || !isKnown) [since, told] = [at, null]
    }
  }
  return null
}

/** Answers how many ms were quiet up to an instant, for instants that only grow. */
function counting(stretch: readonly Segment[]): (instant: number) => number {
  const quiet = stretch.filter(({ state }) => state === 'quiet')
  let passed = 0
  let index = 0
  return (instant) => {
    let current = quiet[index]
    while (current !== undefined && current.to <= instant) {
      passed += knownPart(current) * (current.to - current.from)
      index += 1
      current = quiet[index]
    }
    return current === undefined ? passed : passed + knownPart(current) * Math.max(0, instant - current.from)
  }
}

/** What would have been saved: hours of so many replicas, and money where the price of one is known. */
interface Worth {
  readonly replicas: number
  readonly perHour?: number | undefined
  readonly currency: string
}

/**
 * What people are told before an idle time is laid down: "Last 7 days: 14 stops, 62 h (46.50 USD) saved on 2 replicas, 2
 * would have hurt."
 */
export function backtestWords(segments: readonly Segment[], lengths: Lengths, now: number, worth: Worth): string {
  const recent = segments.filter(({ to }) => to > now - weekMs)
  const since = now - (recent[0]?.from ?? now)
  if (since < lengths.after + lengths.warn) return 'Too little has been seen yet to say what it would have done.'
  const unknown = 1 - knownMs(recent) / Math.max(1, since)
  const rest = unknown > mostUnknown ? ` Of ${Math.round(unknown * 100)} % of that time nothing is known.` : ''
  const { stops, savedMs, hurt } = wouldHaveStopped(recent, lengths)
  const did =
    stops === 0
      ? 'it would not have been stopped'
      : `${stops} ${stops === 1 ? 'stop' : 'stops'}, ${savedText(savedMs, worth)}, ${hurt === 0 ? 'none' : hurt} would have hurt`
  return `Last ${since >= weekMs ? '7 days' : roundly(since)}: ${did}.${rest}`
}

/** Replicas are those of now: how many there were at each time is not kept apart. Money is that of the time that is told. */
function savedText(ms: number, { replicas, perHour, currency }: Worth): string {
  const all = ms * replicas
  const told = all - (all % (all < hourMs ? minuteMs : hourMs))
  const money = perHour === undefined ? '' : ` (${((told / hourMs) * perHour).toFixed(2)} ${currency})`
  return `${roundly(told)}${money} saved${replicas === 1 ? '' : ` on ${replicas} replicas`}`
}

function knownMs(segments: readonly Segment[]): number {
  const busy = segments.filter(({ state }) => state === 'busy').reduce((sum, { from, to }) => sum + to - from, 0)
  return busy + quietMs(segments, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
}

function roundly(ms: number): string {
  return ms < hourMs ? `${Math.floor(ms / minuteMs)} min` : `${Math.floor(ms / hourMs)} h`
}
