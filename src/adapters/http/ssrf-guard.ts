import { type LookupAddress, lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { fetch, type RequestInit, type Response } from 'undici'
import { createConnections, type Proxies } from './transport.ts'

/** Networks that are not public, by the registries of special-purpose addresses (RFC 6890 and later). */
const special = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure services at a public address.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Parts of 2000::/3, among them tunnels to IPv4 addresses.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(net, bits, net.includes(':') ? 'ipv6' : 'ipv4')

/** All public IPv6 networks, and IPv4, also in its IPv6 form. */
const allocated = new BlockList()
allocated.addSubnet('2000::', 3, 'ipv6')
allocated.addSubnet('0.0.0.0', 0, 'ipv4')

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

/** Whether an IP address may be outside the public internet. */
export function isPrivate(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  const version = family === 6 ? 'ipv6' : 'ipv4'
  return special.check(address, version) || !allocated.check(address, version)
}

function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && isPrivate(address)
}

// It takes no thread from other lookups, and does not wait for an unreachable name server.
const ownResolver = new Resolver({ timeout: 1_000, tries: 1 })

/**
 * Whether a name that a proxy looks up is known here as private. A name without a dot does not exist on the public
 * internet. A name that is unknown here is left to the proxy.
 */
export async function isPrivateName(hostname: string, resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = ownResolver) {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false
  if (!hostname.replace(/\.$/, '').includes('.')) return true
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found.some((one) => one.status === 'fulfilled' && one.value.some(isPrivate))
}

/**
 * Resolves a name for a connection, which then uses the checked address, because a second lookup could return another
 * one. One private address among several is enough to refuse.
 */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (fault, addresses: LookupAddress[]) => {
    const [first] = addresses ?? []
    if (fault !== null || first === undefined) return done(fault ?? new Error(`${hostname} has no address.`), '', 0)
    if (addresses.some(({ address }) => isPrivate(address)))
      return done(new PrivateAddress(`${hostname} has a private address.`), '', 0)
    if (options.all === true) done(null, addresses)
    else done(null, first.address, first.family)
  })
}

export interface GuardedOptions {
  readonly allowPrivate: boolean
  /** ms for a whole call. */
  readonly timeoutMs: number
  /** The longest answer, in bytes. */
  readonly maxBytes: number
  readonly proxy?: Proxies | undefined
}

export class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

/** Calls URLs that others chose: address, time and size are limited. */
export function createGuarded({ allowPrivate, timeoutMs, maxBytes, proxy }: GuardedOptions) {
  // A new connection for each call, because some load balancers always route a kept one to the same replica.
  const dispatcher = createConnections(proxy, {
    pipelining: 0,
    maxResponseSize: maxBytes,
    connect: { timeout: timeoutMs, ...(!allowPrivate && { lookup: publicLookup }) },
  })

  return {
    /** Follows no redirect. Throws PrivateAddress, TooSlow, and the cause of what `fetch` and `read` throw. */
    async call<Result>(url: URL, init: RequestInit, read: (answer: Response) => Promise<Result>): Promise<Result> {
      // A proxy looks names up itself, so `publicLookup` never sees them.
      const isRefused = !allowPrivate && (isPrivateHost(url.hostname) || (proxy && (await isPrivateName(url.hostname))))
      if (isRefused) throw new PrivateAddress(`${url.hostname} has a private address.`)
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(), timeoutMs)
      try {
        return await read(await fetch(url, { ...init, redirect: 'manual', signal: ending.signal, dispatcher }))
      } catch (fault) {
        throw ending.signal.aborted ? new TooSlow(`It took longer than ${timeoutMs} ms.`) : causeOf(fault)
      } finally {
        clearTimeout(timer)
        // Closes the connection, even if the answer was not read to its end.
        ending.abort()
      }
    },
    stop: () => dispatcher.destroy(),
  }
}

/** Returns the first cause, because “fetch failed” says nothing. */
function causeOf(fault: unknown): unknown {
  return fault instanceof Error && fault.cause !== undefined ? causeOf(fault.cause) : fault
}
