import createClient from 'openapi-fetch'
import type { Dispatcher } from 'undici'
import { fetch as undiciFetch } from 'undici'
import type { components, paths } from '../../generated/api.ts'
import type { Outcome, Platform } from '../lifecycle/ports.ts'
import type { Answers, Call } from '../operations/call.ts'
import { outcomeOfStatus, outcomeOfThrown, outcomeOfUnreadable } from './errors.ts'
import { assertOurs, endpointOf, UnsafeCall } from './guard.ts'
import { listAll } from './list.ts'
import { masker } from './mask.ts'
import { readers } from './read.ts'
import type { Fetch } from './transport.ts'
import { carry, keepAlive } from './transport.ts'

export interface PlatformOptions {
  /** Including its base path, which ends in /external/api/v1; with or without a slash behind it. */
  readonly baseUrl: string
  readonly apiKey: string
  /** ms; what one call may take, from connecting to the last byte. */
  readonly timeoutMs: number
  /** What the platform calls the number of replicas in the body of a scale. */
  readonly scaleField: 'replica_count' | 'num_replicas'
  /** Instead of undici's fetch; it is given `dispatcher` and `signal` and must heed both. */
  readonly fetch?: Fetch
  /** Instead of a pool of its own; then `close` leaves it open. */
  readonly dispatcher?: Dispatcher
}

/** The platform over HTTP. It repeats no call by itself, neither writes nor reads: whoever calls knows what that means. */
export interface HttpPlatform extends Platform {
  /** Lets the calls under way end, then closes the connections. */
  close(): Promise<void>
}

// openapi-fetch types each call by its literal path. A stored call has lost that, so its types end here; `call()` has
// checked them where the call was made.
type Request = (method: string, path: string, init: object) => Promise<Answered>
interface Answered {
  readonly data?: string
  readonly error?: unknown
  readonly response: Response
}

/** Throws for a base address or key that cannot be used, without showing the key. */
export function createPlatform(options: PlatformOptions): HttpPlatform {
  const { apiKey, timeoutMs, scaleField, fetch = undiciFetch } = options
  const base = baseOf(options.baseUrl)
  const hideKey = masker(apiKey)
  const pool = options.dispatcher ?? keepAlive()

  const client = createClient<paths>({
    baseUrl: base.href,
    redirect: 'error',
    headers: { accept: 'application/json', 'user-agent': 'lamplighter' },
    fetch: async (request) => {
      const { status, text } = await carry(fetch, pool, request)
      return new Response(hideKey(text) || null, { status })
    },
  })
  client.use({
    onRequest({ request, schemaPath }) {
      assertOurs(request.url, base, schemaPath)
      request.headers.set('authorization', `Bearer ${apiKey}`)
    },
  })
  const request = client.request as unknown as Request

  async function send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
    const asked = endpointOf(call)
    const read = readerOf(call)
    let answered: Answered
    try {
      answered = await request(call.method, call.path, {
        params: call.params,
        body: bodyOf(call, scaleField),
        signal: AbortSignal.timeout(timeoutMs),
        parseAs: 'text',
      })
    } catch (thrown) {
      if (thrown instanceof UnsafeCall) throw thrown
      return outcomeOfThrown(thrown, base.origin, timeoutMs)
    }
    const { response, data = '', error } = answered
    if (!response.ok) return outcomeOfStatus(response.status, error)
    try {
      return { kind: 'answered', answer: read(JSON.parse(data), asked) as Answer }
    } catch {
      return outcomeOfUnreadable(response.status)
    }
  }

  return {
    send,
    list: () => listAll(send),
    timeoutMs,
    close: async () => {
      if (pool !== options.dispatcher) await pool.close()
    },
  }
}

function baseOf(given: string): URL {
  if (!URL.canParse(given)) throw new Error('PLATFORM_BASE_URL is not an address: write https://…/external/api/v1.')
  const base = new URL(given)
  if (!/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash) {
    throw new Error('PLATFORM_BASE_URL must be a plain http(s) address without user, query or fragment.')
  }
  base.pathname = base.pathname.replace(/\/+$/, '')
  return base
}

function readerOf(call: Call): (body: unknown, asked: string) => unknown {
  const key = `${call.method} ${call.path}`
  if (!Object.hasOwn(readers, key)) throw new UnsafeCall(`There is no call ${key}. Nothing was sent.`)
  return readers[key as keyof Answers]
}

// The specification and the public documentation name the one field of a scale differently; only one of both is sent.
function bodyOf(call: Call, scaleField: PlatformOptions['scaleField']): unknown {
  if (call.path !== '/endpoints/{endpoint_id}/scale') return call.body
  const body = call.body as components['schemas']['ScaleRequest']
  return { [scaleField]: 'replica_count' in body ? body.replica_count : body.num_replicas }
}
