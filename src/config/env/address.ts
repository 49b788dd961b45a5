import * as z from 'zod'
import { BadRedisAddress, redisAddress } from '../../core/text/redis-address.ts'
import { unlessItFails } from '../../core/text/unless-it-fails.ts'
import { secret, textAs, type Variables } from './environment.ts'

/**
 * An http(s) address without a trailing slash. Plain http is allowed only to this machine and to containers on its
 * network, whose names have no dot, because keys and tokens are sent in the headers. An error never quotes the address,
 * which may contain a password.
 */
const addressLike = (example: string) =>
  textAs((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      return { wrong: `isn’t an http(s) address. Write the whole address, for example ${example}.` }
    if (url.username || url.password) return { wrong: 'contains a user or password. Write the address without them.' }
    if (url.search || url.hash) return { wrong: 'has a ? or # part. Write the address without it.' }
    // This machine, or a service of the same Compose file.
    const isNear = /^(?:[a-z][a-z0-9_-]*|.*\.localhost|\[::1\]|127(?:\.\d{1,3}){3})$/i.test(url.hostname)
    if (url.protocol === 'http:' && !isNear)
      return { wrong: 'is plain http to another machine. Write https://, since every call carries keys or tokens.' }
    return { value: url.href.replace(/\/+$/, '') }
  })

export const platformExample = 'https://platform.example.com/external/api/v1'
export const platformUrl = addressLike(platformExample)
export const slackUrl = addressLike('https://slack.com/api/')

/** An address of Redis, which may contain a password. */
export const redis = textAs((text) => {
  try {
    redisAddress(text)
    return { value: secret(text) }
  } catch (error) {
    return { wrong: error instanceof BadRedisAddress ? error.message : String(error) }
  }
})

export const usualPrefix = 'lamplighter'
/** The prefix of every key in Redis. */
export const prefix = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, { error: 'is not a prefix. Write 1 to 32 lowercase letters, digits or hyphens.' })

/** An error never quotes the address, which may contain a password. */
const proxyAddress = textAs((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const login = unlessItFails(() => decodeURIComponent(`${url?.username}${url?.password}`), null)
  if (url && /^https?:$/.test(url.protocol) && login !== null) return { value: url.href }
  return {
    wrong:
      'is not the address of a proxy. Write http://host:port, with user:password@ before the host if the proxy asks for them.',
  }
})

/** This machine is never reached through a proxy. */
const near = 'localhost,127.0.0.1,[::1]'

/**
 * Returns the proxy from the environment in undici's form: an empty address means no proxy, and `noProxy` lists hosts
 * or is `*`. A lower-case variable wins, as in other programs.
 */
export function proxyOf({ optional }: Pick<Variables, 'optional'>) {
  const httpProxy = optional('http_proxy', proxyAddress) ?? optional('HTTP_PROXY', proxyAddress) ?? ''
  const httpsProxy = optional('https_proxy', proxyAddress) ?? optional('HTTPS_PROXY', proxyAddress) ?? httpProxy
  const except = optional('no_proxy', z.string()) ?? optional('NO_PROXY', z.string())
  if (httpsProxy === '') return undefined
  const noProxy = except === '*' ? except : [except, near].filter(Boolean).join()
  return secret({ httpProxy, httpsProxy, noProxy })
}

/** The parts that must be masked. */
export function secretsOfProxy(proxy: Readonly<Record<'httpProxy' | 'httpsProxy', string>>): readonly string[] {
  return [proxy.httpProxy, proxy.httpsProxy].flatMap((address) => {
    if (address === '') return []
    const { username, password, href } = new URL(address)
    if (password === '') return []
    const [user, plain] = [username, password].map(decodeURIComponent)
    return [href, password, plain ?? '', Buffer.from(`${user}:${plain}`).toString('base64')]
  })
}
