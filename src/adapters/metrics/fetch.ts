import { errors } from 'undici'
import { say, type Words } from '../../core/model/words.ts'
import { createGuarded, type GuardedOptions, PrivateAddress, TooSlow } from '../http/ssrf-guard.ts'

/** A fetched page. `why` ends a sentence that begins with "it is not known whether …, as". */
export type Fetched =
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  | { readonly kind: 'failed'; readonly why: Words }

export type Fetcher = ReturnType<typeof createFetcher>

/** The longest page that is read, in bytes; far above that of a server with many models. */
const maxBytes = 4 * 1024 * 1024

/** Fetches pages from URLs that others chose: address, time (of a whole page, ms) and size are limited. */
export function createFetcher({ allowPrivate, timeoutMs, proxy }: Omit<GuardedOptions, 'maxBytes'>) {
  const guarded = createGuarded({ allowPrivate, timeoutMs, maxBytes, proxy })

  return {
    /** Sends the key as a bearer token. Follows no redirect. Never throws. */
    async get(url: URL, key?: string): Promise<Fetched> {
      const headers = {
        accept: 'text/plain;version=0.0.4, */*;q=0.1',
        // A page's size does not limit the time to unpack it.
        'accept-encoding': 'identity',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      }
      try {
        return await guarded.call(url, { headers }, async (answer): Promise<Fetched> => {
          const location = answer.headers.get('location')
          if (answer.status !== 200) return { kind: 'status', status: answer.status, ...(location && { location }) }
          if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity')
            return { kind: 'failed', why: say('reading.packed') }
          // Twice as fast as UTF-8, and the names that matter are ASCII.
          return { kind: 'page', text: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
        })
      } catch (fault) {
        return { kind: 'failed', why: whyFailed(fault, timeoutMs) }
      }
    },
    stop: () => guarded.stop(),
  }
}

function whyFailed(fault: unknown, timeoutMs: number): Words {
  if (fault instanceof TooSlow) return say('reading.slow', { seconds: timeoutMs / 1000 })
  if (fault instanceof errors.ResponseExceededMaxSizeError) return say('reading.long', { most: maxBytes / 1024 / 1024 })
  if (fault instanceof PrivateAddress) return say('reading.private', { setting: 'signals: { allow_private: true }' })
  return say('reading.unreachable')
}
