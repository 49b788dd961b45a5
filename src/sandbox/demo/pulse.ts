/** Tells when the product, of which nothing is seen but what it asks for, has nothing more to do. */
export interface Pulse {
  /** It has asked the platform or Slack for something, or was answered. */
  readonly beat: () => void
  /** It has asked for something that it also asks for at other times. */
  readonly murmur: () => void
  /**
   * Resolves when it has begun to look at what a move of the clock has brought, and then was quiet for as long as it
   * has taken to its last beat: a machine that is ten times slower is waited for ten times longer. Resolves with a
   * sentence when it did not even begin.
   */
  readonly rest: () => Promise<string | undefined>
}

/**
 * ms of real time. It looks at the clock every 50, so what is heard sooner may belong to something else; what it does
 * every second anyway must not be waited for; and who has not begun after so long is not there.
 */
const shortest = 80
const longestSilence = 600
const patience = 20_000

export function createPulse(): Pulse {
  let beaten = 0
  let last = 0
  function murmur(): void {
    last = performance.now()
  }
  return {
    beat() {
      murmur()
      beaten = last
    },
    murmur,
    async rest() {
      const begun = performance.now()
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        const now = performance.now()
        const silence = Math.min(beaten - begun, longestSilence)
        if (beaten > begun && now - last >= silence && now - begun >= shortest) return undefined
        if (beaten <= begun && now - begun > patience)
          return `Time stands still: Lamplighter has not looked at its endpoints for ${patience / 1_000} s.`
      }
    },
  }
}
