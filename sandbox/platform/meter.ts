import type { Traffic } from './names.ts'

/** What a replica counts. `at` is in ms since 1970 everywhere. */
export interface Meter {
  /** From now on it has this share of its endpoint's traffic. */
  share(traffic: Required<Traffic>, at: number): void
  /** A request that really came, or ended. */
  began(): void
  ended(): void
  /** A new process counts from nothing. */
  renew(at: number): void
  read(at: number): Reading
}

export interface Reading {
  readonly running: number
  readonly waiting: number
  /** Requests ended since the process started. */
  readonly finished: number
  /** Those of them that nobody really sent. */
  readonly supposed: number
}

/** Counters follow from the time, not from timers: a moved clock moves them too. Nothing counts before `readyAt`. */
export function createMeter(readyAt: number): Meter {
  let traffic: Required<Traffic> = { running: 0, waiting: 0, perMinute: 0 }
  let since = readyAt
  let counted = 0
  let answered = 0
  let open = 0

  function supposed(at: number): number {
    return counted + (traffic.perMinute * Math.max(0, at - since)) / 60_000
  }

  return {
    share(next, at) {
      counted = supposed(at)
      since = Math.max(at, readyAt)
      traffic = next
    },
    began: () => {
      open += 1
    },
    ended: () => {
      open -= 1
      answered += 1
    },
    renew(at) {
      counted = 0
      answered = 0
      since = Math.max(at, readyAt)
    },
    read(at) {
      if (at < readyAt) return { running: 0, waiting: 0, finished: 0, supposed: 0 }
      const whole = Math.floor(supposed(at))
      return { running: traffic.running + open, waiting: traffic.waiting, finished: whole + answered, supposed: whole }
    },
  }
}
