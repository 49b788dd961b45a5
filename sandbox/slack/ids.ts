import type { Clock } from './options.ts'

/** Makes ids that are the same in every run: they are counted, never random. */
export interface Ids {
  /** Returns `V0000001`, `V0000002`, … for the prefix `V`. */
  next(prefix: string): string
  /** Returns a message's timestamp: the clock's seconds and a growing fraction, so that all are unique and in order. */
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
