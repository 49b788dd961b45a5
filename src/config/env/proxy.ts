import * as z from 'zod'
import { textAs, type Variables } from './environment.ts'
import { type Secret, secret } from './secrets.ts'

/** As undici takes them: an empty address is none. `noProxy` lists hosts, or is `*`. */
export interface ProxySettings {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

/** Never quotes the address, since it can carry a password. */
const proxyAddress = textAs((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && isDecodable(url.username + url.password)) return { value: url.href }
  return { wrong: 'is not the address of a proxy. Write http://[user:password@]host:port.' }
})

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** This machine is never reached through a proxy. */
const near = 'localhost,127.0.0.1,[::1]'

/** The proxy that the environment names; as everywhere, a variable in lower case comes first. */
export function proxyOf({ optional }: Pick<Variables, 'optional'>): Secret<ProxySettings> | undefined {
  const httpProxy = optional('http_proxy', proxyAddress) ?? optional('HTTP_PROXY', proxyAddress) ?? ''
  const httpsProxy = optional('https_proxy', proxyAddress) ?? optional('HTTPS_PROXY', proxyAddress) ?? httpProxy
  const except = optional('no_proxy', z.string()) ?? optional('NO_PROXY', z.string())
  if (httpsProxy === '') return undefined
  const noProxy = except === '*' ? except : [except, near].filter(Boolean).join()
  return secret({ httpProxy, httpsProxy, noProxy })
}

/** What nobody may read of it. */
export function secretsOfProxy({ httpProxy, httpsProxy }: ProxySettings): readonly string[] {
  return [httpProxy, httpsProxy].flatMap((address) => {
    if (address === '') return []
    const { username, password, href } = new URL(address)
    if (password === '') return []
    const [user, plain] = [username, password].map(decodeURIComponent)
    return [href, password, plain ?? '', Buffer.from(`${user}:${plain}`).toString('base64')]
  })
}
