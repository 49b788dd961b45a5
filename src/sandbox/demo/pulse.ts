import { setTimeout as wait } from 'node:timers/promises'

/** Tells when the product, of which nothing is seen but what it asks for, has nothing more to do. */
export interface Pulse {
  /** It has asked for something, or was answered. */
  readonly beat: () => void
  /** Resolves when it has begun to look at what a move of the clock has brought, and then was quiet for a while. */
  readonly rest: () => Promise<void>
}

/** ms of real time: after which it has nothing to look at, or is not there; of a silence; and how long anybody waits. */
const patience = 400
const silence = 200
const longest = 3_000

export function createPulse(): Pulse {
  let last = 0
  return {
    beat() {
      last = performance.now()
    },
    async rest() {
      const begun = performance.now()
      for (;;) {
        await wait(20)
        const now = performance.now()
        const quiet = last < begun ? now - begun > patience : now - last > silence
        if (quiet || now - begun > longest) return
      }
    },
  }
}
