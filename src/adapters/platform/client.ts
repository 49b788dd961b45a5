import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '../../../generated/api.ts'
import { type Answers, type Call, call } from '../../core/commands/call.ts'
import { endpointIdPattern } from '../../core/model/endpoint.ts'
import { say } from '../../core/model/words.ts'
import { type Happenings, sparingly } from '../../core/ports/meter.ts'
import type { Outcome, Platform } from '../../core/ports/platform.ts'
import type { Log } from '../../core/ports/services.ts'
import { tracedCall } from '../../core/ports/traces.ts'
import { asText } from '../../core/words/render.ts'
import { createTransport, type Proxies, wholeResponse } from '../http/transport.ts'
import { outcomeOfStatus, outcomeOfThrown, pauseOf } from './errors.ts'
import { readers } from './read.ts'

export interface PlatformOptions {
  /** With its base path, /external/api/v1. */
  readonly baseUrl: string
  readonly apiKey: string
  /** The time limit of one call, from connecting to the last byte, ms. */
  readonly timeoutMs: number
  /** The field of a scale's body that holds the number of replicas. */
  readonly scaleField: 'replica_count' | 'num_replicas'
  readonly proxy?: Proxies | undefined
  readonly log: Pick<Log, 'warn'>
  readonly called?: (facts: Omit<Happenings['called'], 'project'>) => void
  /** Replaces the network in tests. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** More than the longest real answer, a log of 50,000 lines. */
const maxBytes = 32 * 1024 * 1024

/** Calls the platform over HTTP, and never repeats a call. Throws for an unusable key, and never shows it. */
export function createPlatform(options: PlatformOptions): Platform & { close(): Promise<void> } {
  const { apiKey, timeoutMs, scaleField, called } = options
  const base = new URL(options.baseUrl)
  const hideKey = masker(apiKey)
  const transport = createTransport({ keepMs: 60_000, connectMs: 3_000, maxBytes, proxy: options.proxy })
  const warn = sparingly(options.log)

  const client = createClient<paths>({
    baseUrl: base.href,
    headers: { accept: 'application/json', 'user-agent': 'lamplighter' },
    fetch: options.fetch ?? overNetwork,
  })
  const guard: Middleware = { onRequest: ({ request, schemaPath }) => assertOurs(request.url, base, schemaPath) }
  const key: Middleware = { onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${apiKey}`) }
  const mask: Middleware = {
    onResponse: async ({ response }) => wholeResponse(withoutForgedTimes(hideKey(await response.text())), response),
  }
  // In this order, so that the key goes only to a checked address.
  client.use(guard, key, mask)

  async function overNetwork(request: Request): Promise<Response> {
    const { url, method, headers } = request
    const body = request.body && (await request.text())
    return transport.fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) })
  }

  function send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
    const { path, params } = call
    const method = call.method.toUpperCase()
    const operation = `${method} ${path}`
    const endpoint = params?.path?.['endpoint_id']
    return tracedCall(operation, { method, path, endpoint }, async (note) => {
      const outcome = await outcomeOf(call, operation)
      const { kind } = outcome
      const status = 'status' in outcome ? outcome.status : undefined
      const facts = { outcome: kind, ...(status !== undefined && { status }) }
      note(facts)
      const remedy = status === 401 && asText(say('platform.key'), 'en')
      // Not every platform has a price list.
      const isExpected = kind === 'answered' || (status === 404 && path === '/instance-types')
      const isKeyRefused = status === 401 || (status === 403 && endpoint === undefined)
      const isAnswer = kind === 'answered' || (kind === 'refused' && !isKeyRefused)
      // The trouble may concern one endpoint only, so an answer about another doesn't end it.
      const isOwn = isAnswer || (kind === 'failed' && endpoint !== undefined)
      const about = { operation, address: base.host, ...facts }
      if (isAnswer) warn.over(`${operation} `, about, 'the platform answers again')
      if (!isExpected)
        warn(
          isOwn ? `own ${operation} ${status}` : `${operation} ${kind} ${status}`,
          { ...about, endpoint },
          remedy || 'a call to the platform failed',
        )
      return outcome
    })
  }

  async function outcomeOf<Answer>(call: Call<Answer>, operation: string): Promise<Outcome<Answer>> {
    const endpointId = endpointOf(call)
    const read = readerOf(call)
    const { method, path, params } = call
    const init = { params, body: bodyOf(call, scaleField), parseAs: 'text' }
    const began = performance.now()
    let answered = 'none'
    try {
      // `call` checked path and parameters against the specification; a stored call has lost those types.
      const { data, error, response } = await client.request(method, path as never, init as never)
      const { status, headers } = response
      answered = `${status}`
      if (!response.ok) return outcomeOfStatus(status, error, pauseOf(headers.get('retry-after'), headers.get('date')))
      try {
        return { kind: 'answered', answer: read(JSON.parse(data ?? ''), endpointId) as Answer }
      } catch {
        return { kind: 'unknown', status, says: say('platform.unreadable', { status: answered }) }
      }
    } catch (thrown) {
      if (thrown instanceof UnsafeCall) throw thrown
      return outcomeOfThrown(thrown, base.origin, timeoutMs)
    } finally {
      called?.({ operation, status: answered, seconds: (performance.now() - began) / 1_000 })
    }
  }

  return {
    send,
    async list() {
      const read = await allPages((query) => send(call('get', '/endpoints', { params: { query } })))
      if (read.kind !== 'answered') return read
      const endpoints = read.answer.flatMap((page) => page.endpoints)
      return { kind: 'answered', answer: [...new Map(endpoints.map((one) => [one.id, one])).values()] }
    },
    async instanceTypes() {
      const read = await allPages((query) => send(call('get', '/instance-types', { params: { query } })))
      return read.kind === 'answered' ? { ...read, answer: read.answer.flatMap(({ types }) => types) } : read
    },
    timeoutMs,
    /** Waits for the calls under way, then closes the connections. */
    close: () => transport.close(),
  }
}

/** Writes out the marks of our own times (`core/time/format.ts`) in a body, plain or escaped in JSON. */
function withoutForgedTimes(body: string): string {
  return body.replace(
    /(?<!\\)((?:\\\\)*)\\u(e00[01])|[\ue000\ue001]/gi,
    (mark, before = '', code?: string) => `${before}\\\\u{${(code ?? mark.charCodeAt(0).toString(16)).toLowerCase()}}`,
  )
}

/** Removes a secret in every spelling of JSON. One below 8 characters is a placeholder, and may be a word. */
function masker(secret: string): (text: string) => string {
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw new Error('PLATFORM_API_KEY must be one word of visible ASCII characters: copy it again from the console.')
  }
  if (secret.length < 8) return (text) => text
  const quoted = JSON.stringify(secret).slice(1, -1)
  const spellings = [secret, quoted, secret.replaceAll('/', '\\/'), quoted.replaceAll('/', '\\/')]
  return (text) => spellings.reduce((masked, spelling) => masked.replaceAll(spelling, '[API key]'), text)
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

/** A call that would go to the wrong address. Nothing was sent. */
export class UnsafeCall extends Error {
  override readonly name = 'UnsafeCall'
}

/** Returns the endpoint id in a call's path, or ''. Throws `UnsafeCall` for an id that must not be part of a path. */
function endpointOf(call: Call): string {
  const given = call.params?.path ?? {}
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'endpoint_id' || typeof value !== 'string' || !endpointIdPattern.test(value)) {
      throw new UnsafeCall(
        `${JSON.stringify(String(value).slice(0, 80))} cannot be an endpoint's id: ids are 1 to 64 letters, digits, "-" and "_". Nothing was sent.`,
      )
    }
  }
  const id = given['endpoint_id'] ?? ''
  if (call.path.includes('{endpoint_id}') !== (id !== '')) {
    throw new UnsafeCall(`${call.path} was called ${id === '' ? 'without' : 'with'} an endpoint. Nothing was sent.`)
  }
  return id
}

/** Checks that an address is its template under the base: an id of `..` once turned a stop into a start elsewhere. */
export function assertOurs(address: string, base: URL, template: string): void {
  const url = new URL(address)
  const under = base.pathname.replace(/\/$/, '')
  const actual = url.pathname.startsWith(`${under}/`) ? url.pathname.slice(under.length).split('/') : []
  const expected = template.split('/')
  const isSame = expected.every((part, i) =>
    part === '{endpoint_id}' ? endpointIdPattern.test(actual[i] ?? '') : part === actual[i],
  )
  if (url.origin !== base.origin || actual.length !== expected.length || !isSame) {
    throw new UnsafeCall(`A call to ${template} would have gone to another address. Nothing was sent.`)
  }
}

/** The platform's largest page. */
const size = 2000

/** Reads every page of a list. Fails if a page fails or the total changes: a removed item shifts the next page. */
async function allPages<Page extends { readonly pages: number; readonly total?: number }>(
  read: (query: { readonly page: number; readonly size: number }) => Promise<Outcome<Page>>,
): Promise<Outcome<readonly Page[]>> {
  const all: Page[] = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const got = await read({ page, size })
    if (got.kind !== 'answered') return got
    const { answer } = got
    if (all.some(({ total }) => total !== answer.total)) return { kind: 'unknown', says: say('platform.listChanged') }
    all.push(answer)
    pages = answer.pages
  }
  return { kind: 'answered', answer: all }
}
