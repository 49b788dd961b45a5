import type { Clock } from '../../../src/core/ports/services.ts'

/** A clock that stands still until it is moved, in ms. `pass` may set it back, but not its monotonic time. */
export interface MemoryClock extends Clock {
  pass(ms: number): void
}

export function createMemoryClock(begin = 1_800_000_000_000): MemoryClock {
  let now = begin
  // Like a machine that has been running for a while.
  let monotonic = 1_000_000
  return {
    now: () => now,
    monotonic: () => monotonic,
    pass(ms) {
      now += ms
      monotonic += Math.max(0, ms)
    },
  }
}
