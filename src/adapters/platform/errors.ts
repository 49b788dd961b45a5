import type { Outcome } from '../../core/ports/platform.ts'
import { UnwantedRedirect } from '../http/transport.ts'
import { platformWords } from './sentences.ts'

export type NoAnswer = Exclude<Outcome<never>, { kind: 'answered' }>

const undecided = new Set([408, 425])

/** The outcome of an answer that is not 2xx. `body` is its JSON or text, `pause` its `Retry-After` in ms. */
export function outcomeOfStatus(status: number, body: unknown, pause?: number): NoAnswer {
  const words = platformWords(body)
  const says = words || fallback(status)
  // A 503 without a time may come from a gateway while the platform carried the call out.
  if (status === 429 || (status === 503 && pause !== undefined))
    return { kind: 'unreached', says, ...(pause !== undefined && { pause }) }
  if (status === 500) return { kind: 'failed', status, says }
  const definite = status >= 400 && status < 500 && !undecided.has(status)
  if (!definite) return { kind: 'unknown', status, says }
  // "Invalid API key" alone does not say what to do.
  const remedy = words !== '' && (status === 401 || status === 403) && fallback(status)
  return { kind: 'refused', status, says, ...(remedy && { remedy }) }
}

const [shortestPause, longestPause] = [1_000, 60_000]

/** The pause of a `Retry-After`, from 1 to 60 s, in ms; undefined if unreadable. `date`: the answer's own time. */
export function pauseOf(retryAfter: string | null | undefined, date?: string | null): number | undefined {
  const says = retryAfter?.trim() ?? ''
  const pause = /^\d+$/.test(says) ? Number(says) * 1_000 : timeIn(says) - (timeIn(date ?? '') || Date.now())
  return Number.isNaN(pause) ? undefined : Math.min(longestPause, Math.max(shortestPause, pause))
}

/** ms; NaN unless it begins with a weekday, since `Date.parse` alone would accept "2.5". */
function timeIn(date: string): number {
  return /^[A-Z][a-z]{2,8},? /.test(date) ? Date.parse(date) : Number.NaN
}

const fallbacks: Readonly<Record<number, string>> = {
  400: 'The platform did not accept this request and gave no reason.',
  401: 'The API key is wrong or was deleted: make one in the project overview of the console and set PLATFORM_API_KEY.',
  403: 'The API key is not allowed to touch this endpoint: use a key that was given access to it.',
  404: 'No endpoint has this id, or PLATFORM_BASE_URL does not point at the API.',
  405: 'The platform does not know this operation: check PLATFORM_BASE_URL.',
  409: 'The endpoint is not in a state that allows this: it may have to be stopped first.',
  422: 'The platform did not accept a value and did not say which.',
  429: 'The platform asks for fewer calls: try again in a minute.',
  500: 'The platform failed and gave no reason: it may lack balance or a free GPU; its console shows more.',
}

function fallback(status: number): string {
  if (status > 500) return `The platform is not available (${status}): try again in a few minutes.`
  return fallbacks[status] ?? `The platform answered ${status} and gave no reason.`
}

/** The outcome of a 2xx whose body does not fit the specification. */
export function outcomeOfUnreadable(status: number): NoAnswer {
  return {
    kind: 'unknown',
    status,
    says: `The platform's answer (${status}) could not be read: check that PLATFORM_BASE_URL points at the API.`,
  }
}

/** The outcome of a call that threw. */
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
  if (causes.some((cause) => cause instanceof UnwantedRedirect)) {
    return {
      kind: 'unknown',
      says: 'The platform answered with a redirect, which is never followed: check PLATFORM_BASE_URL.',
    }
  }
  return { kind: 'unknown', says: 'The connection to the platform broke before its answer was complete.' }
}

function chain(thrown: unknown): NodeJS.ErrnoException[] {
  const causes: NodeJS.ErrnoException[] = []
  for (let at = thrown; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at)
  return causes
}

// Without a name, route, port or trusted certificate no byte of the request has been sent.
// Node throws an AggregateError only if every address of a name refused to connect.
function isBeforeSending({ name, code = '', syscall }: NodeJS.ErrnoException): boolean {
  if (name === 'AggregateError' || syscall === 'getaddrinfo' || syscall === 'connect') return true
  return /^ECONNREFUSED$|^UND_ERR_CONNECT_TIMEOUT$|CERT|UNABLE_TO_(?:GET|VERIFY)|WRONG_VERSION_NUMBER/.test(code)
}
