import type { Clock, LeftToNewer, Log } from '../ports/services.ts'

/** How long this process lets rest what it could not read, ms. A newer one takes it up within seconds. */
const rest = 60_000
/** Beyond so many the ones that were left first are looked at again. */
const most = 1_000

export function createLeft(clock: Pick<Clock, 'monotonic'>, log: Log): LeftToNewer {
  /** Until when each rests, monotonic ms, the first that was left first. */
  const until = new Map<string, number>()
  const counts = new Map<string, number>()
  return {
    note(id, { message }) {
      until.delete(id)
      until.set(id, clock.monotonic() + rest)
      for (const old of until.keys()) {
        if (until.size <= most) break
        until.delete(old)
      }
      const count = counts.get(message) ?? 0
      if (count < most) counts.set(message, count + 1)
      if (count === 0) log.warn({ request: id, why: message }, 'what a newer version has stored was left to it')
    },
    resting() {
      const now = clock.monotonic()
      for (const [id, at] of until) if (at <= now) until.delete(id)
      return [...until.keys()]
    },
    says() {
      const all = [...counts].map(([why, count]) => `${why} (${count}×)`)
      return all.length === 0 ? null : all.join(' ')
    },
  }
}
