import * as z from 'zod'
import { BadRedisAddress, redisAddress } from '../../core/text/redis-address.ts'
import { textAs } from './environment.ts'
import { secret } from './secrets.ts'

/**
 * An http(s) address, without a slash at its end. Plain http only reaches this machine and containers of its network,
 * whose names have no dot: keys and tokens travel in the headers. A mistake never quotes the address, since it can
 * carry a password.
 */
export const address = textAs((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { wrong: 'isn’t an http(s) address. Write the whole address, for example https://api.example.com/v1.' }
  if (url.username || url.password) return { wrong: 'contains a user or password. Write the address without them.' }
  if (url.search || url.hash) return { wrong: 'has a ? or # part. Write the address without it.' }
  // This machine, or a service of the same Compose file.
  const isNear = /^(?:[a-z][a-z0-9_-]*|.*\.localhost|\[::1\]|127(?:\.\d{1,3}){3})$/i.test(url.hostname)
  if (url.protocol === 'http:' && !isNear)
    return { wrong: 'is plain http to another machine. Write https://, since every call carries keys or tokens.' }
  return { value: url.href.replace(/\/+$/, '') }
})

/** An address of Redis, which may carry a password. */
export const redis = textAs((text) => {
  try {
    redisAddress(text)
    return { value: secret(text) }
  } catch (error) {
    return { wrong: error instanceof BadRedisAddress ? error.message : String(error) }
  }
})

export const usualPrefix = 'lamplighter'
/** What the keys in Redis begin with. */
export const prefix = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, { error: 'is not a prefix. Write 1 to 32 lowercase letters, digits or hyphens.' })
