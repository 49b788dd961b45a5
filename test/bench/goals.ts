import { medianOf } from './statistics.ts'
import type { Section } from './table.ts'

export interface Goal {
  readonly goal: string
  readonly seen: number
  readonly limit: number
  readonly met: boolean
}

export interface Sections {
  readonly acks?: Section
  readonly journeys?: Section
  readonly starts?: Section
}

/** Returns the goals as ratios of medians of one run. They are printed, not enforced, because machines differ. */
export function goalsOf({ acks, journeys, starts }: Sections): readonly Goal[] {
  const queueing = ratio(acks, 'perSecond', 'Lamplighter', 'Bolt + queue.add')
  return [
    { goal: 'commands/s, accepted and stored, of Bolt + queue.add', seen: queueing, limit: 1, met: queueing >= 1 },
    atMost('ack p50, unloaded, of bare Bolt', ratio(acks, 'p50Ms', 'Lamplighter', 'bare Bolt'), 2.5),
    atMost('command to final message, of a naive bot', ratio(journeys, 'p50Ms', 'Lamplighter', 'naive Bolt bot'), 6.5),
    atMost(
      'cold start of the bundle, of a naive bot',
      ratio(starts, 'readyMs', 'Lamplighter, all', 'naive Bolt bot'),
      1.2,
    ),
  ].filter(({ seen }) => !Number.isNaN(seen))
}

function atMost(goal: string, seen: number, limit: number): Goal {
  return { goal, seen, limit, met: seen <= limit }
}

/** Returns NaN for a part that was not measured. */
function ratio(section: Section | undefined, measure: string, ours: string, theirs: string): number {
  return medianOf(section?.variants[ours]?.[measure] ?? []) / medianOf(section?.variants[theirs]?.[measure] ?? [])
}

export function lineOf({ goal, seen, limit, met }: Goal): string {
  const sign = goal.startsWith('commands/s') ? 'at least' : 'at most'
  return `  ${met ? 'met   ' : 'MISSED'}  ${seen.toFixed(2)}x  ${goal} (${sign} ${limit}x)`
}
