import { errors, fetch } from 'undici'
import { say, type Words } from '../../core/model/words.ts'
import { createConnections, type Proxies } from '../http/transport.ts'
import { isPrivateHost, isPrivateName, PrivateAddress, publicLookup } from './ssrf-guard.ts'

/** A fetched page. `why` ends a sentence that begins with "it is not known whether …, as". */
export type Fetched =
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  | { readonly kind: 'failed'; readonly why: Words }

export type Fetcher = ReturnType<typeof createFetcher>

interface FetcherOptions {
  readonly allowPrivate: boolean
  readonly timeoutMs: number
  readonly proxy?: Proxies | undefined
}

/** The longest page that is read, in bytes; far above that of a server with many models. */
const maxBytes = 4 * 1024 * 1024

/** Fetches pages from addresses that others chose: address, time (of a whole page, ms) and size are limited. */
export function createFetcher({ allowPrivate, timeoutMs, proxy }: FetcherOptions) {
  // A new connection for each page: some balancers lead a kept connection always to the same replica.
  const dispatcher = createConnections(proxy, {
    pipelining: 0,
    maxResponseSize: maxBytes,
    connect: { timeout: timeoutMs, ...(!allowPrivate && { lookup: publicLookup }) },
  })

  return {
    /** Sends the key as a bearer token. Follows no redirect. Never throws. */
    async get(url: URL, key?: string): Promise<Fetched> {
      if (!allowPrivate && isPrivateHost(url.hostname)) return privateAddress
      // A proxy looks names up itself, so `publicLookup` never sees them.
      if (!allowPrivate && proxy !== undefined && (await isPrivateName(url.hostname))) return privateAddress
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(), timeoutMs)
      try {
        const answer = await fetch(url, {
          headers: {
            accept: 'text/plain;version=0.0.4, */*;q=0.1',
            // A page's size does not limit the time to unpack it.
            'accept-encoding': 'identity',
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          redirect: 'manual',
          signal: ending.signal,
          dispatcher,
        })
        const location = answer.headers.get('location')
        if (answer.status !== 200) return { kind: 'status', status: answer.status, ...(location && { location }) }
        if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity')
          return { kind: 'failed', why: say('reading.packed') }
        // Twice as fast as UTF-8, and the names that matter are ASCII.
        return { kind: 'page', text: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
      } catch (fault) {
        if (ending.signal.aborted) return { kind: 'failed', why: say('reading.slow', { seconds: timeoutMs / 1000 }) }
        if (isBecauseOf(fault, errors.ResponseExceededMaxSizeError))
          return { kind: 'failed', why: say('reading.long', { most: maxBytes / 1024 / 1024 }) }
        if (isBecauseOf(fault, PrivateAddress)) return privateAddress
        return { kind: 'failed', why: say('reading.unreachable') }
      } finally {
        clearTimeout(timer)
        // Closes the connection, also if the answer was not read to its end.
        ending.abort()
      }
    },
    stop: () => dispatcher.destroy(),
  }
}

const privateAddress: Fetched = {
  kind: 'failed',
  why: say('reading.private', { setting: 'signals: { allow_private: true }' }),
}

function isBecauseOf(fault: unknown, kind: new (...args: never[]) => Error): boolean {
  if (fault instanceof kind) return true
  return fault instanceof Error && isBecauseOf(fault.cause, kind)
}
