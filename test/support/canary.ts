import { Redis } from 'ioredis'

/** Returns fake secrets of typical shapes: with known prefixes, without a known form, and written by hand. */
export function shapesOf(seed: string): readonly string[] {
  const letters = Buffer.from(`${seed}-${seed}-${seed}-${seed}`).toString('base64url').replace(/[-_]/g, 'x')
  const hex = Buffer.from(`${seed}${seed}${seed}${seed}`).toString('hex')
  return [
    `xoxb-${letters.slice(0, 30)}`,
    `sk-${letters.slice(2, 34)}`,
    `hf_${letters.slice(1, 31)}`,
    `ghp_${letters.slice(3, 33)}`,
    `AKIA${hex.slice(0, 16).toUpperCase()}`,
    `eyJ${letters.slice(0, 20)}.${letters.slice(4, 30)}.${letters.slice(6, 26)}`,
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    hex.slice(0, 48),
    `${letters.slice(0, 20)}+/${letters.slice(5, 20)}==`,
    `p@ss:w0rd!${letters.slice(0, 6)}&x`,
    `postgres://app:${letters.slice(0, 14)}@db.internal/main`,
    `correct-horse-${letters.slice(0, 8)}`,
  ]
}

/** Returns the encodings in which a secret may appear. */
function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const spelled = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll('&', '&amp;'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
  ]
  return [...new Set(spelled)]
}

/** Texts in which outside systems may quote a secret. */
export const wrappings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `Bearer ${secret}`,
  (secret) => `Authorization: Bearer ${secret} is no key`,
  (secret) => `invalid value "${secret}" given`,
  (secret) => `token=${secret}, retry later`,
  (secret) => `{"api_key":"${secret}"}`,
  (secret) => `<html><body><h1>401</h1><p>${secret}</p></body></html>`,
  (secret) => `got '${secret}'.`,
  (secret) => `https://api.internal/v1?api_key=${secret}&page=2`,
  (secret) => `(${secret})`,
  (secret) => `line one\nline two ${secret}\nline three`,
  (secret) => `${'x '.repeat(40)}${secret} ${'y '.repeat(40)}`,
]

/** Returns `place: …context…` for each secret that a place contains in any spelling. */
export function findings(places: Readonly<Record<string, string>>, secrets: readonly string[]): readonly string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    secrets.flatMap((secret) => {
      const found = spellingsOf(secret).find((spelling) => text.includes(spelling))
      if (found === undefined) return []
      const at = text.indexOf(found)
      return [`${place}: …${text.slice(Math.max(0, at - 60), at + 12)}…`]
    }),
  )
}

/** Returns everything that Redis holds under a prefix, as text. */
export async function dumpOf(url: string, prefix: string): Promise<string> {
  const redis = new Redis(url)
  try {
    const keys = (await redis.keys('*')).filter((key) => key.includes(prefix))
    const values = await Promise.all(keys.map(async (key) => `${key} ${JSON.stringify(await contentOf(redis, key))}`))
    return values.join('\n')
  } finally {
    redis.disconnect()
  }
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key)
    case 'hash':
      return redis.hgetall(key)
    case 'list':
      return redis.lrange(key, 0, -1)
    case 'zset':
      return redis.zrange(key, '0', '-1')
    case 'set':
      return redis.smembers(key)
    case 'stream':
      return redis.xrange(key, '-', '+')
    default:
      return null
  }
}
