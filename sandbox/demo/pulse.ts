/** Detects that the product has nothing more to do, from its calls alone. */
export interface Pulse {
  /**
   * Notes a call to the platform, an endpoint or Slack, or its answer. `more`: ms of real time within which the next
   * call of that kind may come, if the product spaces such calls; 0 by default.
   */
  readonly beat: (more?: number) => void
  /** Notes a call that the product also makes when it has nothing to do. */
  readonly murmur: () => void
  /**
   * Resolves once the product has reported a move of the clock as done, and then has been quiet for longer than at any
   * time in between and for as long as more calls may come, and has no request in hand: on a machine ten times slower,
   * this waits ten times longer.
   * Resolves with a sentence if the product doesn't report and makes no more calls.
   */
  readonly rest: () => Promise<string | undefined>
}

/**
 * ms of real time. The product checks the clock every 20, so a call within `shortest` may belong to something else;
 * `longestSilence` is below the second between its regular calls; after `patience` without a call it is gone.
 */
const shortest = 60
const longer = 1.5
const longestSilence = 600
const patience = 20_000

/** `isDone`: whether the product has reported the last move as done. `isBusy`: whether it has requests in hand even so. */
export function createPulse(isDone: () => boolean, isBusy: () => Promise<boolean> = async () => false): Pulse {
  let beaten = 0
  let last = 0
  let begun = 0
  /** The longest silence since `begun`, ms. */
  let widest = 0
  /** The latest time at which more calls may come, ms. */
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
        const mayRest = done && isQuiet && now - begun >= shortest
        if (mayRest && (now - begun > patience || !(await isBusy()))) return undefined
        if (!done && now - Math.max(begun, beaten) > patience)
          return `The clock stopped: Lamplighter hasn’t checked its endpoints for ${patience / 1_000} s.`
      }
    },
  }
}
