import type { Redis } from 'ioredis'
import { readAs, written } from '../../../core/model/formats.ts'
import { terms } from '../../../core/model/limits.ts'
import type { Request } from '../../../core/model/request.ts'
import { type Clock, Tampered } from '../../../core/ports/services.ts'
import type { Keys } from '../connection/keys.ts'
import type { Signer } from './sign.ts'

/** Requests as they are stored and believed. */
export interface Texts {
  write(request: Request, version: number): string
  /** To be asked for before it is read: what was read becomes the request, or it throws Tampered or Newer. */
  readonly reading: (id: string) => (version: unknown, stored: string) => Request
  /** From now on nothing older is believed. */
  readonly saw: (id: string, version: number) => void
  /** Null when it is not remembered. Throws Tampered, Newer. */
  readonly load: (id: string) => Promise<Request | null>
}

export function createTexts(redis: Redis, keys: Keys, signer: Signer, versions: Versions): Texts {
  function reading(id: string): (version: unknown, stored: string) => Request {
    const seen = versions.reading(id)
    return (version, stored) => {
      const text = signer.read(['request', id, Number(version)], stored)
      seen(Number(version))
      return readAs('request', text)
    }
  }
  return {
    write: (request, version) => signer.sign(['request', request.id, version], written('request', request)),
    reading,
    saw: versions.saw,
    async load(id) {
      const read = reading(id)
      const [version, text] = await redis.hmget(keys.request(id), 'version', 'text')
      return typeof text === 'string' ? read(version, text) : null
    },
  }
}

/** Longer than anything that was asked or agreed to may still begin. ms. */
const life = terms.ask + terms.start
/** Of this many requests; the ones that were longest left alone are forgotten first. */
const most = 50_000

/** The newest version of each request that this process has seen. */
interface Versions {
  /**
   * To be asked for before a version is read, and told what was read: it throws Tampered when a newer one had been
   * seen by then, so somebody has put an old one back.
   */
  readonly reading: (id: string) => (version: number) => void
  readonly saw: (id: string, version: number) => void
}

/**
 * An old text is as well signed as the newest, so what has been seen is remembered for as long as an old one could
 * usually still make anything happen. What this process has not seen, or no longer remembers, the audit says (trail.ts)
 * before a request is gone on with.
 */
export function createVersions(clock: Pick<Clock, 'monotonic'>): Versions {
  const seen = new Map<string, { readonly version: number; readonly at: number }>()

  function saw(id: string, version: number): void {
    const now = clock.monotonic()
    for (const [old, { at }] of seen) {
      if (now - at < life && seen.size < most) break
      seen.delete(old)
    }
    const newest = Math.max(version, seen.get(id)?.version ?? 0)
    seen.delete(id)
    seen.set(id, { version: newest, at: now })
  }

  return {
    saw,
    reading(id) {
      const since = seen.get(id)?.version ?? 0
      return (version) => {
        if (version < since) throw new Tampered(`The request ${id} in Redis is an old one, put back.`)
        saw(id, version)
      }
    },
  }
}
