/** Tells when the product, of which nothing is seen but what it asks for, has nothing more to do. */
export interface Pulse {
  /**
   * It has asked the platform, an endpoint or Slack for something, or was answered. `more`: ms of real time within which
   * it may ask for the next of that kind, where it takes its time between them; 0 when left out.
   */
  readonly beat: (more?: number) => void
  /** It has asked for something that it also asks for at other times. */
  readonly murmur: () => void
  /**
   * Resolves when it has said that it is done with what a move of the clock has brought, and then was quiet for longer
   * than at any time in between, and for as long as more may come: a machine that is ten times slower is waited for ten
   * times longer. Resolves with a sentence when it is not done and nothing is heard of it.
   */
  readonly rest: () => Promise<string | undefined>
}

/**
 * ms of real time. It looks at the clock every 20, so what is heard sooner may belong to something else; what it does
 * every second anyway must not be waited for; and who has asked for nothing for so long is not there.
 */
const shortest = 60
const longer = 1.5
const longestSilence = 600
const patience = 20_000

/** `isDone`: whether it has said so. */
export function createPulse(isDone: () => boolean): Pulse {
  let beaten = 0
  let last = 0
  let begun = 0
  /** The longest that it was quiet since then. */
  let widest = 0
  /** Until when more may come. */
  let expected = 0
  function murmur(): void {
    last = performance.now()
  }
  return {
    beat(more = 0) {
      widest = Math.max(widest, performance.now() - Math.max(last, begun))
      murmur()
      beaten = last
      expected = Math.max(expected, last + more)
    },
    murmur,
    async rest() {
      begun = performance.now()
      widest = 0
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        const now = performance.now()
        const silence = Math.min(widest * longer, longestSilence)
        const isQuiet = now - last >= silence && now >= expected
        const done = isDone()
        if (done && isQuiet && now - begun >= shortest) return undefined
        if (!done && now - Math.max(begun, beaten) > patience)
          return `The clock stopped: Lamplighter hasn’t checked its endpoints for ${patience / 1_000} s.`
      }
    },
  }
}
