import type { Traffic } from './types.ts'

/** What a replica counts. `at` is in ms since 1970 everywhere. */
export interface Meter {
  /** From now on it has this share of its endpoint's traffic. */
  share(traffic: Required<Traffic>, at: number): void
  /** A request that really came, or ended. */
  began(): void
  ended(): void
  read(at: number): Reading
}

export interface Reading {
  readonly running: number
  readonly waiting: number
  /** Requests ended since the replica started. */
  readonly finished: number
}

/** Counters follow from the time, not from timers: a moved clock moves them too. Nothing counts before `readyAt`. */
export function createMeter(readyAt: number): Meter {
  let traffic: Required<Traffic> = { running: 0, waiting: 0, perMinute: 0 }
  let since = readyAt
  let counted = 0
  let open = 0

  function finished(at: number): number {
    return counted + (traffic.perMinute * Math.max(0, at - since)) / 60_000
  }

  return {
    share(next, at) {
      counted = finished(at)
      since = Math.max(at, readyAt)
      traffic = next
    },
    began: () => {
      open += 1
    },
    ended: () => {
      open -= 1
      counted += 1
    },
    read: (at) =>
      at < readyAt
        ? { running: 0, waiting: 0, finished: 0 }
        : { running: traffic.running + open, waiting: traffic.waiting, finished: Math.floor(finished(at)) },
  }
}
