import { setTimeout as wait } from 'node:timers/promises'

/** Tells when the product, of which nothing is seen but what it asks for, has nothing more to do. */
export interface Pulse {
  /** It has asked for something, or was answered. */
  readonly beat: () => void
  /** Resolves when it has had the time to see that the clock was moved, and then has been quiet for a while. */
  readonly rest: () => Promise<void>
}

/** How soon the product sees a move, how long a silence has to be, and how long anybody waits for it. ms, of real time. */
const seen = 70
const silence = 60
const longest = 2_000

export function createPulse(): Pulse {
  let last = 0
  return {
    beat() {
      last = performance.now()
    },
    async rest() {
      const begun = performance.now()
      await wait(seen)
      while (performance.now() - last < silence && performance.now() - begun < longest) await wait(silence / 3)
    },
  }
}
