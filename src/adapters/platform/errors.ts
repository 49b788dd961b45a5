import type { Outcome } from '../../core/ports/platform.ts'
import { wordsOf } from './sentences.ts'

/** Every outcome but an answer; it fits any call. */
export type NoAnswer = Exclude<Outcome<never>, { kind: 'answered' }>

const undecided = new Set([408, 425])

/**
 * The outcome of an answer that is not 2xx. `body` is its parsed JSON, or its text; `pause` (ms) is what it says about
 * when to come back.
 */
export function outcomeOfStatus(status: number, body: unknown, pause?: number): NoAnswer {
  const words = wordsOf(body)
  const says = words || fallback(status)
  // Turned away at the door: a 503 that names no time may come from a gateway behind which it was carried out.
  if (status === 429 || (status === 503 && pause !== undefined))
    return { kind: 'unreached', says, ...(pause !== undefined && { pause }) }
  if (status === 500) return { kind: 'failed', status, says }
  const definite = status >= 400 && status < 500 && !undecided.has(status)
  if (!definite) return { kind: 'unknown', status, says }
  // "Invalid API key" is true, and helps nobody who did not make the key.
  const remedy = words !== '' && (status === 401 || status === 403) && fallback(status)
  return { kind: 'refused', status, says, ...(remedy && { remedy }) }
}

/** Shortest and longest pause that is heeded, ms. */
const [shortestPause, longestPause] = [1_000, 60_000]

/**
 * How long a `Retry-After` asks to wait, ms, from 1 to 60 s; undefined where it says nothing that can be read. `date`:
 * the time of the answer, as it has it itself, so that our clock need not agree with the platform's.
 */
export function pauseOf(retryAfter: string | undefined, date?: string): number | undefined {
  const says = retryAfter?.trim() ?? ''
  const asked = /^\d+$/.test(says) ? Number(says) * 1_000 : timeIn(says) - (timeIn(date) || Date.now())
  return Number.isNaN(asked) ? undefined : Math.min(longestPause, Math.max(shortestPause, asked))
}

/** An HTTP date begins with the day of the week; `Date.parse` alone would take "2.5" for one. */
function timeIn(date = ''): number {
  return /^[A-Z][a-z]{2,8},? /.test(date) ? Date.parse(date) : Number.NaN
}

function fallback(status: number): string {
  switch (status) {
    case 400:
      return 'The platform did not accept this request and gave no reason.'
    case 401:
      return 'The API key is wrong or was deleted: make one in the project overview of the console and set PLATFORM_API_KEY.'
    case 403:
      return 'The API key is not allowed to touch this endpoint: use a key that was given access to it.'
    case 404:
      return 'No endpoint has this id, or PLATFORM_BASE_URL does not point at the API.'
    case 405:
      return 'The platform does not know this operation: check PLATFORM_BASE_URL.'
    case 409:
      return 'The endpoint is not in a state that allows this: it may have to be stopped first.'
    case 422:
      return 'The platform did not accept a value and did not say which.'
    case 429:
      return 'The platform asks for fewer calls: try again in a minute.'
    case 500:
      return 'The platform failed and gave no reason: it may lack balance or a free GPU; its console shows more.'
    default:
      return status >= 500
        ? `The platform is not available (${status}): try again in a few minutes.`
        : `The platform answered ${status} and gave no reason.`
  }
}

/** The outcome of a 2xx whose body is not what the specification describes. */
export function outcomeOfUnreadable(status: number): NoAnswer {
  return {
    kind: 'unknown',
    status,
    says: `The platform's answer (${status}) could not be read: check that PLATFORM_BASE_URL points at the API.`,
  }
}

/** The outcome of a call that got no whole answer; `thrown` is what carrying it threw. `timeoutMs` in ms. */
export function outcomeOfThrown(thrown: unknown, origin: string, timeoutMs: number): NoAnswer {
  const causes = chain(thrown)
  if (causes.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) {
    return { kind: 'unknown', says: `The platform did not answer within ${timeoutMs / 1000} s.` }
  }
  const before = causes.find(isBeforeSending)
  if (before) {
    const code = before.code ?? before.syscall ?? 'no connection'
    return {
      kind: 'unreached',
      says: `The platform cannot be reached at ${origin} (${code}), so nothing was sent: check PLATFORM_BASE_URL and the network.`,
    }
  }
  if (causes.some(({ message }) => message === 'unexpected redirect')) {
    return {
      kind: 'unknown',
      says: 'The platform answered with a redirect, which is never followed: check PLATFORM_BASE_URL.',
    }
  }
  return { kind: 'unknown', says: 'The connection to the platform broke before its answer was complete.' }
}

interface Cause {
  readonly name?: string
  readonly message?: string
  readonly code?: string
  readonly syscall?: string
}

function chain(thrown: unknown): Cause[] {
  const causes: Error[] = []
  for (let at = thrown; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at)
  return causes
}

// No name, no route, no port, no trusted certificate: in each of these no byte of the request has left.
// Node throws an AggregateError only when every address of a name refused to connect.
function isBeforeSending({ name, code = '', syscall }: Cause): boolean {
  if (name === 'AggregateError' || syscall === 'getaddrinfo' || syscall === 'connect') return true
  return /^ECONNREFUSED$|^UND_ERR_CONNECT_TIMEOUT$|CERT|UNABLE_TO_(?:GET|VERIFY)|WRONG_VERSION_NUMBER/.test(code)
}
