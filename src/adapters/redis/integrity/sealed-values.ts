import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Redis } from 'ioredis'
import { readAs } from '../../../core/model/formats.ts'
import { tokenDigest } from '../../../core/policy/programs.ts'
import type { Bound, SealedEntry, Seals, TokenSecrets } from '../../../core/ports/services.ts'
import type { Keys } from '../connection/keys.ts'
import { derived, type Keyed } from './sign.ts'

/** Shorter values would match everywhere, and could be guessed from their digests. */
const shortest = 8
/** How long a sealed value is masked in the logs of containers, ms. */
const memory = 400 * 24 * 3_600_000

/**
 * Seals secret values between a form and a call: AES-256-GCM under a key that is not in Redis, bound to the project,
 * the request, the endpoint, the person and the field. Older keys only open. Null if no key is configured.
 */
export function sealsFor({ key }: Keyed, redis: Redis, places: Keys, project: string): Seals | null {
  if (key === undefined) return null
  // Nothing was ever sealed without a key, although other texts from that time are still believed.
  const keys = [key.current, ...key.earlier].map((one) => one.reveal()).filter(({ length }) => length > 0)
  const sealing = keys.map((one) => derived(one, 'lamplighter seal'))
  const masking = keys.map((one) => derived(one, 'lamplighter mask'))

  async function open(of: Bound): Promise<readonly SealedEntry[] | null> {
    const text = await redis.get(places.seal(`${of.request}:${of.field}`))
    if (text === null) return null
    const [sealed, bound] = [Buffer.from(text, 'base64'), boundTo(project, of)]
    const [opened] = sealing.flatMap((one) => tryOpen(one, sealed, bound) ?? [])
    return opened === undefined ? null : readAs<readonly SealedEntry[]>('seal', opened)
  }

  return {
    open,

    async seal(of, entries, life) {
      const [newest] = sealing
      if (newest === undefined) throw new Error('There is no key to seal with.')
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(boundTo(project, of))
      const text = [cipher.update(JSON.stringify(entries), 'utf8'), cipher.final()]
      const sealed = Buffer.concat([nonce, ...text, cipher.getAuthTag()])
      // A sealed value is masked from now on, whatever happens to it.
      const secret = entries.flatMap(({ value }) => hiddenOf(value))
      const digests = secret.map((value) => `${value.length}.${digestOf(masking[0] ?? newest, value)}`)
      if (digests.length > 0) {
        await redis.sadd(places.sealed, ...digests)
        await redis.pexpire(places.sealed, memory)
      }
      // If one form is submitted twice at the same moment, the first values stay.
      const place = places.seal(`${of.request}:${of.field}`)
      if ((await redis.set(place, sealed.toString('base64'), 'PX', life, 'NX')) === 'OK') return true
      // The same form may come again because its first reply was lost.
      return isDeepStrictEqual(await open(of), entries)
    },

    async known() {
      const stored = (await redis.smembers(places.sealed)).map((one) => one.split('.'))
      if (stored.length === 0) return () => false
      const digests = new Set(stored.map((parts) => parts.at(-1)))
      const tells = (word: string) => masking.some((mask) => digests.has(digestOf(mask, word)))
      return Object.assign(tells, { lengths: new Set(stored.map(([length]) => Number(length))) })
    },

    async forget(request, field) {
      await redis.del(places.seal(`${request}:${field}`))
    },
  }
}

/** Returns a value and its single words, because logs are searched word by word. */
function hiddenOf(value: string): readonly string[] {
  return [...new Set([value, ...value.split(/\s+/)])].filter((text) => text.length >= shortest)
}

/** The key is not in Redis, so access to Redis is not enough to try values against a digest. */
function digestOf(mask: Buffer, value: string): string {
  return createHmac('sha256', mask).update(value).digest('base64url')
}

function boundTo(project: string, { request, endpoint, actor, field }: Bound): Buffer {
  return Buffer.from(JSON.stringify([project, request, endpoint, actor.team, actor.user, field]))
}

function tryOpen(key: Buffer, sealed: Buffer, bound: Buffer): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(bound)
    decipher.setAuthTag(sealed.subarray(-16))
    return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

/** `scope`: a project's hash tag, which separates projects with the same key. */
export function tokenSecretsFor({ key }: Keyed, scope: string): TokenSecrets {
  const keys = key === undefined ? [] : [key.current, ...key.earlier].map((one) => one.reveal())
  const making = keys.map((one) => derived(one, 'lamplighter token'))
  const secretsOf = (request: string) =>
    making.map(
      (one) => `lamp_${request}${createHmac('sha256', one).update(`${scope}\n${request}`).digest('base64url')}`,
    )
  return {
    // The key may have been replaced since the token was made.
    secretOf: (request, digest) => secretsOf(request).find((one) => tokenDigest(one) === digest) ?? null,
    digestOf(request) {
      const [secret] = secretsOf(request)
      return secret === undefined ? null : tokenDigest(secret)
    },
  }
}
