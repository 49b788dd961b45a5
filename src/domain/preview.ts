import type { Day } from './civil.ts'
import { type Segment, segments } from './desired.ts'
import type { Rules } from './rules.ts'
import { localAt, type Shift, shiftsBetween } from './zone.ts'

/** What rules come to over some days. Instants in ms. */
export interface Preview {
  /** One after the other without a hole. */
  readonly segments: readonly Segment[]
  /** Dates in it on which up-windows do not begin. */
  readonly skipped: readonly Day[]
  /** Changes of the clocks in it, in the zones of the rules. */
  readonly shifts: readonly (Shift & { readonly zone: string })[]
}

/** What rules come to in so many days of 24 h from `from` (ms): to look at before they are kept. */
export function preview(rules: Rules, from: number, days: number): Preview {
  const to = from + days * 86_400_000
  const zones = [...new Set(rules.weekly.map(({ zone }) => zone))]
  const shown = zones.map((zone) => [localAt(from, zone).day, localAt(to - 1, zone).day] as const)
  const isShown = (day: Day): boolean => shown.some(([first, last]) => first <= day && day <= last)
  return {
    segments: segments(rules, from, to),
    skipped: [...rules.skip].filter(isShown).sort((a, b) => a - b),
    shifts: zones
      .flatMap((zone) => shiftsBetween(from, to, zone).map((shift) => ({ ...shift, zone })))
      .sort((a, b) => a.at - b.at),
  }
}
