import type { Clock } from '../../../src/core/ports/services.ts'

/** A clock that stands still until it is moved, in ms. */
export interface MemoryClock extends Clock {
  pass(ms: number): void
}

export function createMemoryClock(begin = 1_800_000_000_000): MemoryClock {
  let passed = 0
  return {
    now: () => begin + passed,
    // Like a machine that has been running for a while.
    monotonic: () => 1_000_000 + passed,
    pass(ms) {
      passed += ms
    },
  }
}
