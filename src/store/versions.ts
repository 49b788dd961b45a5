import { terms } from '../domain/request.ts'
import { type Clock, Tampered } from '../lifecycle/ports.ts'

/** Longer than anything that was asked or agreed to may still begin. ms. */
const life = terms.ask + terms.start
/** Of this many requests; the ones that were longest left alone are forgotten first. */
const most = 50_000

/** The newest version of each request that this process has seen. */
export interface Versions {
  /** Throws Tampered when a newer one has been seen: somebody has put an old one back. */
  readonly see: (id: string, version: number) => void
}

/**
 * An old text is as well signed as the newest, so what has been seen is remembered for as long as an old one could
 * still make anything happen. It remains that a process that never saw the newer one (all have been started again, or
 * another took the request up) believes the old: it may then make once more a call that somebody asked for.
 */
export function createVersions(clock: Pick<Clock, 'monotonic'>): Versions {
  const seen = new Map<string, { readonly version: number; readonly at: number }>()

  return {
    see(id, version) {
      const now = clock.monotonic()
      for (const [old, { at }] of seen) {
        if (now - at < life && seen.size < most) break
        seen.delete(old)
      }
      if (version < (seen.get(id)?.version ?? 0))
        throw new Tampered(`The request ${id} in Redis is an old one, put back.`)
      seen.delete(id)
      seen.set(id, { version, at: now })
    },
  }
}
