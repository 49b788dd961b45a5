import type { Traffic } from './names.ts'

/** Counts the requests of a replica. `at` is in ms since 1970 everywhere. */
export interface Meter {
  /** Sets the share of its endpoint's traffic that it gets from now on. */
  share(traffic: Required<Traffic>, at: number): void
  /** Called when a real request begins, or ends. */
  began(): void
  ended(): void
  /** Restarts the counters, as a new process does. */
  renew(at: number): void
  read(at: number): Reading
}

export interface Reading {
  readonly running: number
  readonly waiting: number
  /** Requests ended since the process started. */
  readonly finished: number
  /** How many of them were simulated. */
  readonly supposed: number
}

/** Counters follow from the time, not from timers, so a moved clock moves them too. They begin at `readyAt`. */
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
