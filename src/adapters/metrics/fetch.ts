import { Agent, fetch } from 'undici'
import { isPrivateHost, PrivateAddress, publicLookup } from './ssrf-guard.ts'

/** How a page was fetched. `why` is the end of a sentence that begins with "it is not known whether …, as". */
export type Fetched =
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  | { readonly kind: 'failed'; readonly why: string }

export interface Fetcher {
  /** Asks with the key, if there is one, as a bearer. Follows no redirect. Never throws. */
  get(url: URL, key?: string): Promise<Fetched>
  /** Ends every connection. */
  stop(): Promise<void>
}

export interface FetcherOptions {
  /** Whether private addresses and this machine may be asked. */
  readonly allowPrivate: boolean
  /** ms for a whole page; 5 s unless given. */
  readonly timeoutMs?: number
}

/** The longest page that is read, in bytes. A server with many models stays well below. */
const mostBytes = 4 * 1024 * 1024

/** Fetches pages from addresses that others chose: bounded in time and size, and only where it may go. */
export function createFetcher({ allowPrivate, timeoutMs = 5_000 }: FetcherOptions): Fetcher {
  // A connection of its own for each page: kept ones would meet the same replica again and again behind some balancers,
  // and a minute later they are closed anyway.
  const dispatcher = new Agent({
    pipelining: 0,
    connect: { timeout: timeoutMs, ...(!allowPrivate && { lookup: publicLookup }) },
  })

  return {
    async get(url, key) {
      if (!allowPrivate && isPrivateHost(url.hostname)) return privately
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(), timeoutMs)
      try {
        const answer = await fetch(url, {
          headers: {
            accept: 'text/plain;version=0.0.4, */*;q=0.1',
            // The time it takes to unpack a page is not bounded by its size.
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
        return isPrivateFault(fault) ? privately : { kind: 'failed', why: 'its address could not be reached' }
      } finally {
        clearTimeout(timer)
        // Whatever was not read is not wanted: this closes the connection.
        ending.abort()
      }
    },
    stop: () => dispatcher.destroy(),
  }
}

const privately: Fetched = {
  kind: 'failed',
  why: 'its address is a private one; allow those with `signals: { allow_private: true }` in the policy file',
}
const tooLong: Fetched = { kind: 'failed', why: `its metrics are longer than ${mostBytes / 1024 / 1024} MB` }

/** Null when there is more than is read. */
async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) return null
    chunks.push(chunk)
  }
  // Byte by byte, which is twice as fast: the names that matter are ASCII.
  return Buffer.concat(chunks).toString('latin1')
}

function isPrivateFault(fault: unknown): boolean {
  return fault instanceof Error && (fault instanceof PrivateAddress || isPrivateFault(fault.cause))
}
