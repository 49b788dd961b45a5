import { Agent, fetch } from 'undici'
import { isPrivateHost, PrivateAddress, publicLookup } from './ssrf-guard.ts'

/** A fetched page. `why` ends a sentence that begins with "it is not known whether …, as". */
export type Fetched =
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  | { readonly kind: 'failed'; readonly why: string }

export interface Fetcher {
  /** Sends the key as a bearer token. Follows no redirect. Never throws. */
  get(url: URL, key?: string): Promise<Fetched>
  /** Ends every connection. */
  stop(): Promise<void>
}

export interface FetcherOptions {
  /** Allows private addresses and this machine. */
  readonly allowPrivate: boolean
  /** ms for a whole page; 5 s unless given. */
  readonly timeoutMs?: number
}

/** The longest page that is read, in bytes; far above that of a server with many models. */
const maxBytes = 4 * 1024 * 1024

/** Fetches pages from addresses that others chose, so address, time and size are limited. */
export function createFetcher({ allowPrivate, timeoutMs = 5_000 }: FetcherOptions): Fetcher {
  // A new connection for each page: some balancers lead a kept connection always to the same replica.
  const dispatcher = new Agent({
    pipelining: 0,
    connect: { timeout: timeoutMs, ...(!allowPrivate && { lookup: publicLookup }) },
  })

  return {
    async get(url, key) {
      if (!allowPrivate && isPrivateHost(url.hostname)) return privateAddress
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
          return { kind: 'failed', why: 'its metrics came packed, which was not asked for' }
        const text = await textOf(answer.body)
        return text === null ? tooLong : { kind: 'page', text }
      } catch (fault) {
        if (ending.signal.aborted)
          return { kind: 'failed', why: `its metrics did not come within ${timeoutMs / 1000} s` }
        return isPrivateFault(fault) ? privateAddress : { kind: 'failed', why: 'its address could not be reached' }
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
  why: 'its address is a private one; allow those with `signals: { allow_private: true }` in the policy file',
}
const tooLong: Fetched = { kind: 'failed', why: `its metrics are longer than ${maxBytes / 1024 / 1024} MB` }

/** Null if the body is too long. */
async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  // Twice as fast as UTF-8, and the names that matter are ASCII.
  return Buffer.concat(chunks).toString('latin1')
}

function isPrivateFault(fault: unknown): boolean {
  return fault instanceof Error && (fault instanceof PrivateAddress || isPrivateFault(fault.cause))
}
