import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '../../../generated/api.ts'
import type { Answers, Call } from '../../core/commands/call.ts'
import { sparingly } from '../../core/ports/log-sparingly.ts'
import type { Outcome, Platform } from '../../core/ports/platform.ts'
import type { Log } from '../../core/ports/services.ts'
import { createTransport } from '../http/transport.ts'
import { outcomeOfStatus, outcomeOfThrown, outcomeOfUnreadable, pauseOf } from './errors.ts'
import { assertOurs, endpointOf, UnsafeCall } from './guard.ts'
import { listAll, listInstanceTypes } from './lists.ts'
import { readers } from './read.ts'
import { masker, withoutForgedTimes } from './sentences.ts'

export interface PlatformOptions {
  /** With its base path, /external/api/v1; a slash at its end is optional. */
  readonly baseUrl: string
  readonly apiKey: string
  /** ms; the time limit of one call, from connecting to the last byte. */
  readonly timeoutMs: number
  /** The field of a scale's body that holds the number of replicas. */
  readonly scaleField: 'replica_count' | 'num_replicas'
  /** Gets a line for calls without an answer: the first, then their count. */
  readonly log?: Pick<Log, 'warn'>
  /** Replaces the network in tests. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** The platform over HTTP. It never repeats a call: only the caller knows whether that is safe. */
export interface HttpPlatform extends Platform {
  /** Waits for the calls under way, then closes the connections. */
  close(): Promise<void>
}

/** More than the longest real answer, a log of 50,000 lines. */
const maxBytes = 32 * 1024 * 1024

/** Throws for an unusable base address or key. The error never shows the key. */
export function createPlatform(options: PlatformOptions): HttpPlatform {
  const { apiKey, timeoutMs, scaleField } = options
  const base = baseOf(options.baseUrl)
  const hideKey = masker(apiKey)
  const transport = createTransport({ keepMs: 60_000, connectMs: 3_000, maxBytes })
  const warn = sparingly(options.log ?? { warn: () => undefined })

  const client = createClient<paths>({
    baseUrl: base.href,
    headers: { accept: 'application/json', 'user-agent': 'lamplighter' },
    fetch: options.fetch ?? overNetwork,
  })
  const guard: Middleware = {
    onRequest: ({ request, schemaPath }) => assertOurs(request.url, base, schemaPath),
  }
  const key: Middleware = {
    onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${apiKey}`),
  }
  const mask: Middleware = {
    onResponse: async ({ response }) =>
      response.body ? new Response(withoutForgedTimes(hideKey(await response.text())), response) : undefined,
  }
  // In this order, so that the key goes only to a checked address.
  client.use(guard, key, mask)

  async function overNetwork(request: Request): Promise<Response> {
    const { url, method, headers } = request
    const body = request.body && (await request.text())
    return transport.fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) })
  }

  async function send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
    const outcome = await outcomeOf(call)
    if (outcome.kind === 'answered') return outcome
    const operation = `${call.method.toUpperCase()} ${call.path}`
    const status = 'status' in outcome ? outcome.status : undefined
    const fields = { operation, outcome: outcome.kind, ...(status !== undefined && { status }) }
    warn(`${operation} ${outcome.kind} ${status}`, fields, 'the platform did not do what was asked of it')
    return outcome
  }

  async function outcomeOf<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
    const endpointId = endpointOf(call)
    const read = readerOf(call)
    const { method, path, params } = call
    const init = { params, body: bodyOf(call, scaleField), parseAs: 'text' }
    try {
      // `call` checked path and parameters against the specification; a stored call has lost those types.
      const { data, error, response } = await client.request(method, path as never, init as never)
      const { status, headers } = response
      if (!response.ok) return outcomeOfStatus(status, error, pauseOf(headers.get('retry-after'), headers.get('date')))
      try {
        return { kind: 'answered', answer: read(JSON.parse(data ?? ''), endpointId) as Answer }
      } catch {
        return outcomeOfUnreadable(status)
      }
    } catch (thrown) {
      if (thrown instanceof UnsafeCall) throw thrown
      return outcomeOfThrown(thrown, base.origin, timeoutMs)
    }
  }

  return {
    send,
    list: () => listAll(send),
    instanceTypes: () => listInstanceTypes(send),
    timeoutMs,
    close: () => transport.close(),
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

function readerOf(call: Call): (body: unknown, endpointId: string) => unknown {
  const key = `${call.method} ${call.path}`
  if (!Object.hasOwn(readers, key)) throw new UnsafeCall(`There is no call ${key}. Nothing was sent.`)
  return readers[key as keyof Answers]
}

// The specification and the public documentation name the field of a scale differently. Only one of them is sent.
function bodyOf(call: Call, scaleField: PlatformOptions['scaleField']): unknown {
  if (call.path !== '/endpoints/{endpoint_id}/scale') return call.body
  const body = call.body as components['schemas']['ScaleRequest']
  return { [scaleField]: 'replica_count' in body ? body.replica_count : body.num_replicas }
}
