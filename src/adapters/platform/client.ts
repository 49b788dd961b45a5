import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch'
import type { components } from '../../../generated/api.ts'
import type { Answers, Call } from '../../core/commands/call.ts'
import { sparingly } from '../../core/ports/log-sparingly.ts'
import type { Outcome, Platform } from '../../core/ports/platform.ts'
import type { Log } from '../../core/ports/services.ts'
import { outcomeOfStatus, outcomeOfThrown, outcomeOfUnreadable, pauseOf } from './errors.ts'
import { assertOurs, endpointOf, UnsafeCall } from './guard.ts'
import { listAll, listInstanceTypes } from './lists.ts'
import { readers } from './read.ts'
import { masker, unforged } from './sentences.ts'
import { type Asked, type Carried, carry, isOk, keepAlive } from './transport.ts'

export interface PlatformOptions {
  /** Including its base path, which ends in /external/api/v1; with or without a slash behind it. */
  readonly baseUrl: string
  readonly apiKey: string
  /** ms; what one call may take, from connecting to the last byte. */
  readonly timeoutMs: number
  /** What the platform calls the number of replicas in the body of a scale. */
  readonly scaleField: 'replica_count' | 'num_replicas'
  /** Instead of the network; it must heed `signal`. */
  /** Hears of every call that brought no answer, once and then by count. */
  readonly log?: Pick<Log, 'warn'>
  readonly carry?: (asked: Asked) => Promise<Carried>
}

/** The platform over HTTP. It repeats no call by itself, neither writes nor reads: whoever calls knows what that means. */
export interface HttpPlatform extends Platform {
  /** Lets the calls under way end, then closes the connections. */
  close(): Promise<void>
}

/** Throws for a base address or key that cannot be used, without showing the key. */
export function createPlatform(options: PlatformOptions): HttpPlatform {
  const { apiKey, timeoutMs, scaleField } = options
  const base = baseOf(options.baseUrl)
  const hideKey = masker(apiKey)
  const pool = keepAlive()
  const { carry: bring = (asked: Asked) => carry(pool, asked) } = options
  const headers = { accept: 'application/json', 'user-agent': 'lamplighter', authorization: `Bearer ${apiKey}` }

  const warn = sparingly(options.log ?? { warn: () => undefined })

  async function send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
    const outcome = await sent(call)
    if (outcome.kind === 'answered') return outcome
    const operation = `${methods[call.method]} ${call.path}`
    const status = 'status' in outcome ? outcome.status : undefined
    const fields = { operation, outcome: outcome.kind, ...(status !== undefined && { status }) }
    warn(`${operation} ${outcome.kind} ${status}`, fields, 'the platform did not do what was asked of it')
    return outcome
  }

  async function sent<Answer>(call: Call<Answer>): Promise<Outcome<Answer>> {
    const asked = endpointOf(call)
    const read = readerOf(call)
    const address = addressOf(call, base)
    assertOurs(address, base, call.path)
    const body = bodyOf(call, scaleField)
    let carried: Carried
    try {
      carried = await bring({
        method: methods[call.method],
        address,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (thrown) {
      return outcomeOfThrown(thrown, base.origin, timeoutMs)
    }
    const { status, retryAfter, date } = carried
    const text = unforged(hideKey(carried.text))
    if (!isOk(status)) return outcomeOfStatus(status, parsed(text), pauseOf(retryAfter, date))
    try {
      return { kind: 'answered', answer: read(JSON.parse(text), asked) as Answer }
    } catch {
      return outcomeOfUnreadable(status)
    }
  }

  return {
    send,
    list: () => listAll(send),
    instanceTypes: () => listInstanceTypes(send),
    timeoutMs,
    close: () => pool.close(),
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

const methods = { get: 'GET', post: 'POST', patch: 'PATCH' } as const
const querySerializer = createQuerySerializer()

/** The address of a call, written as the specification has it. */
function addressOf({ path, params = {} }: Call, base: URL): string {
  return createFinalURL(path, {
    baseUrl: base.href.replace(/\/$/, ''),
    params,
    querySerializer,
    pathSerializer: defaultPathSerializer,
  })
}

/** The body of a refusal may be anything. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// The specification and the public documentation name the one field of a scale differently; only one of both is sent.
function bodyOf(call: Call, scaleField: PlatformOptions['scaleField']): unknown {
  if (call.path !== '/endpoints/{endpoint_id}/scale') return call.body
  const body = call.body as components['schemas']['ScaleRequest']
  return { [scaleField]: 'replica_count' in body ? body.replica_count : body.num_replicas }
}
