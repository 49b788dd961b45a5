import type { Redis } from 'ioredis'
import type { Request } from '../domain/request.ts'
import type { Keys } from './keys.ts'
import type { Signer } from './signed.ts'
import type { Versions } from './versions.ts'

/** Requests as they are stored and believed. */
export interface Texts {
  write(request: Request, version: number): string
  /** Throws Tampered. */
  read(id: string, version: unknown, stored: string): Request
  /** From now on nothing older is believed. */
  readonly saw: (id: string, version: number) => void
  /** Null when it is not remembered. Throws Tampered. */
  readonly load: (id: string) => Promise<Request | null>
}

export function createTexts(redis: Redis, keys: Keys, signer: Signer, versions: Versions): Texts {
  function read(id: string, version: unknown, stored: string): Request {
    const text = signer.read(['request', id, Number(version)], stored)
    versions.see(id, Number(version))
    return JSON.parse(text) as Request
  }
  return {
    write: (request, version) => signer.sign(['request', request.id, version], JSON.stringify(request)),
    read,
    saw: versions.see,
    async load(id) {
      const [version, text] = await redis.hmget(keys.request(id), 'version', 'text')
      return typeof text === 'string' ? read(id, version, text) : null
    },
  }
}
