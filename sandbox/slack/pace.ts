import type { Clock } from './options.ts'

/** Limits the rate of calls. Each bucket refills by the clock. */
export interface Pace {
  /** Takes one token from the bucket; returns the seconds to wait if it is empty, otherwise undefined. */
  take(bucket: string, perSecond: number, burst: number): number | undefined
}

export function createPace(clock: Clock): Pace {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    take(name, perSecond, burst) {
      const now = clock.now()
      const bucket = buckets.get(name) ?? { left: burst, at: now }
      const left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond)
      if (left < 1) {
        buckets.set(name, { left, at: now })
        return Math.ceil((1 - left) / perSecond)
      }
      buckets.set(name, { left: left - 1, at: now })
      return undefined
    },
  }
}
