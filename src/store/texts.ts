import type { Redis } from 'ioredis'
import { readAs, written } from '../domain/formats.ts'
import type { Request } from '../domain/request.ts'
import type { Keys } from './keys.ts'
import type { Signer } from './signed.ts'
import type { Versions } from './versions.ts'

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
