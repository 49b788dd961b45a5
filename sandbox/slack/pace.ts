import type { Clock } from './options.ts'

/** How fast calls may come. Each bucket refills by the clock; an empty one says how long to wait. */
export interface Pace {
  /** Takes one from the bucket; seconds to wait when there is none left, else undefined. */
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
