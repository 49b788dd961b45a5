import type { Clock } from './options.ts'

/** Makes ids that are the same in every run: they count, and nothing in them is random. */
export interface Ids {
  /** `V0000001`, `V0000002`, … for the prefix `V`. */
  next(prefix: string): string
  /** A message's time stamp: seconds of the clock, and a part that grows, so that no two are alike or out of order. */
  ts(): string
}

export function createIds(clock: Clock): Ids {
  const counts = new Map<string, number>()
  let second = 0
  let part = 0
  function next(prefix: string): string {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}${String(count).padStart(7, '0')}`
  }
  function ts(): string {
    second = Math.max(second, Math.floor(clock.now() / 1000))
    part += 100
    if (part > 999_900) {
      part = 100
      second += 1
    }
    return `${second}.${String(part).padStart(6, '0')}`
  }
  return { next, ts }
}
