import { inCurrency } from '../../core/model/automation.ts'
import type { Segment } from '../../core/model/reading.ts'
import type { Change, IdleRule } from '../../core/model/records.ts'
import { type SentenceValues, say, type Words } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { dayMs, hourMs } from '../../core/time/calendar.ts'
import { pricesNow } from '../savings/prices.ts'
import { mostUnknown, quietMs } from './idle-clock.ts'

const minuteMs = 60_000
const weekMs = 7 * dayMs

type Lengths = Pick<IdleRule, 'after' | 'warn'>

/** Counts the stops an idle time would have made. `savedMs`: known quiet after them; `hurt`: used within the hour. */
export function wouldHaveStopped(segments: readonly Segment[], lengths: Lengths) {
  let [stops, savedMs, hurt] = [0, 0, 0]
  for (const stretch of stretches(segments)) {
    const stop = stopIn(stretch.quiet, lengths)
    if (stop === null) continue
    stops += 1
    savedMs += quietMs(stretch.quiet, stop, Number.POSITIVE_INFINITY)
    if (stretch.busyAt !== null && stretch.busyAt - stop <= hourMs) hurt += 1
  }
  return { stops, savedMs, hurt }
}

interface Stretch {
  /** Quiet and unknown segments without use or restart between them. */
  readonly quiet: readonly Segment[]
  /** When the endpoint was used again; null if it was not, or if a restart ended the stretch. */
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

/** Returns the first stop in a stretch, after its notice. If too little is known by then, the clock starts again. */
function stopIn(stretch: readonly Segment[], { after, warn }: Lengths): number | null {
  const first = stretch[0]?.from ?? 0
  let [since, announced]: [number, number | null] = [first, null]
  for (const { state, from, to } of stretch) {
    for (let at = Math.max(from, first + after); at <= to; at += minuteMs) {
      const isKnown = 1 - quietMs(stretch, at - after, at) / after <= mostUnknown
      if (announced === null && isKnown && state === 'quiet' && at - since >= after) announced = at
      if (announced === null) continue
      const isDue = at >= announced + warn
      if (isDue && isKnown && state === 'quiet') return at
      if (isDue || !isKnown) [since, announced] = [at, null]
    }
  }
  return null
}

interface Worth {
  readonly replicas: number
  readonly perHour?: number | undefined
  readonly currency: string
}

/** "In the last 7 d it would have been stopped 14 times (2 too early: …), saving 62 replica-hours ($46.50)." */
export function backtestWords(segments: readonly Segment[], lengths: Lengths, now: number, worth: Worth): Words {
  const recent = segments.filter(({ to }) => to > now - weekMs)
  const since = now - (recent[0]?.from ?? now)
  const { replicas, perHour, currency } = worth
  const hour = perHour === undefined ? '' : say('hindsight.hour', { hour: inCurrency(perHour * replicas, currency) })
  const tooLittle = [hour, say('hindsight.tooLittle')]
  if (since < lengths.after + lengths.warn) return tooLittle
  const unknown = 1 - knownMs(recent) / Math.max(1, since)
  const { stops, savedMs, hurt } = wouldHaveStopped(recent, lengths)
  if (stops === 0 && unknown > 0.5) return tooLittle
  const rest = unknown > mostUnknown ? say('hindsight.unknown', { share: unknown }) : ''
  const span = { lasting: Math.min(since, weekMs) }
  if (stops === 0) return [say('hindsight.none', { span }), rest]
  return [say('hindsight.stops', { span, stops, hurt, ...worthOf(savedMs, worth) }), rest]
}

/** Counts the current replicas, because the past ones are not stored. */
function worthOf(ms: number, { replicas, perHour, currency }: Worth): SentenceValues {
  const all = ms * replicas
  const rounded = all - (all % (all < hourMs ? minuteMs : hourMs))
  const money = perHour === undefined ? '' : inCurrency((rounded / hourMs) * perHour, currency)
  const saved =
    rounded < hourMs
      ? say('hindsight.minutes', { minutes: rounded / minuteMs })
      : say('savings.hours', { hours: rounded / hourMs })
  return { saved, priced: money === '' ? 'no' : 'yes', money, replicas }
}

function knownMs(segments: readonly Segment[]): number {
  const busy = segments.filter(({ state }) => state === 'busy').reduce((sum, { from, to }) => sum + to - from, 0)
  return busy + quietMs(segments, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
}

/** Returns the backtest of a new idle rule; empty for any other change. */
export async function hindsight(services: Services, { put = [] }: Change): Promise<Words> {
  const rule = put.find(({ kind }) => kind === 'idle')
  if (rule?.kind !== 'idle' || rule.mode === 'off') return ''
  const [watched, listed] = await Promise.all([services.store.watchedOf(rule.endpoint), services.store.names()])
  const { segments = [] } = watched ?? {}
  const prices = await pricesNow(services)
  const { gpu = '', replicas = 1 } = listed?.endpoints.find(({ id }) => id === rule.endpoint) ?? {}
  return backtestWords(segments, rule, services.clock.now(), {
    replicas: Math.max(1, segments.at(-1)?.evidence.replicas ?? replicas),
    perHour: prices.perHour.get(gpu),
    currency: prices.currency,
  })
}
