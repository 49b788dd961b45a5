import { fetch, type RequestInit, type Response } from 'undici'
import { isPrivateHost, isPrivateName, PrivateAddress, publicLookup } from './ssrf-guard.ts'
import { createConnections, type Proxies } from './transport.ts'

interface GuardedOptions {
  readonly allowPrivate: boolean
  /** ms for a whole call. */
  readonly timeoutMs: number
  /** Of an answer, in bytes. */
  readonly maxBytes: number
  readonly proxy?: Proxies | undefined
}

/** A call took longer than it may. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

/** Calls addresses that others chose: address, time and size are limited. */
export function createGuarded({ allowPrivate, timeoutMs, maxBytes, proxy }: GuardedOptions) {
  // A new connection for each call: some balancers lead a kept connection always to the same replica.
  const dispatcher = createConnections(proxy, {
    pipelining: 0,
    maxResponseSize: maxBytes,
    connect: { timeout: timeoutMs, ...(!allowPrivate && { lookup: publicLookup }) },
  })

  return {
    /** Follows no redirect. Throws PrivateAddress, TooSlow, and what `fetch` and `read` throw. */
    async call<Result>(url: URL, init: RequestInit, read: (answer: Response) => Promise<Result>): Promise<Result> {
      // A proxy looks names up itself, so `publicLookup` never sees them.
      const isRefused = !allowPrivate && (isPrivateHost(url.hostname) || (proxy && (await isPrivateName(url.hostname))))
      if (isRefused) throw new PrivateAddress(`${url.hostname} has a private address.`)
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(), timeoutMs)
      try {
        return await read(await fetch(url, { ...init, redirect: 'manual', signal: ending.signal, dispatcher }))
      } catch (fault) {
        throw ending.signal.aborted ? new TooSlow(`It took longer than ${timeoutMs} ms.`) : fault
      } finally {
        clearTimeout(timer)
        // Closes the connection, also if the answer was not read to its end.
        ending.abort()
      }
    },
    stop: () => dispatcher.destroy(),
  }
}

export function isBecauseOf(fault: unknown, kind: new (...args: never[]) => Error): boolean {
  if (fault instanceof kind) return true
  return fault instanceof Error && isBecauseOf(fault.cause, kind)
}
