import { say, type Words } from '../../core/model/words.ts'
import type { Outcome } from '../../core/ports/platform.ts'
import { hide } from '../../core/text/redact.ts'
import { ProxyRefused, UnwantedRedirect } from '../http/transport.ts'

export type NoAnswer = Exclude<Outcome<never>, { kind: 'answered' }>

const undecided = new Set([408, 425])

/** Returns the outcome of an answer that is not 2xx. `body`: its JSON or text; `pause`: its `Retry-After` in ms. */
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

/** Returns a `Retry-After`, from 1 to 60 s, in ms; undefined if unreadable. `date`: the answer's own time. */
export function pauseOf(retryAfter: string | null | undefined, date?: string | null): number | undefined {
  const says = retryAfter?.trim() ?? ''
  const pause = /^\d+$/.test(says) ? Number(says) * 1_000 : timeIn(says) - (timeIn(date ?? '') || Date.now())
  return Number.isNaN(pause) ? undefined : Math.min(longestPause, Math.max(shortestPause, pause))
}

/** ms; NaN unless it begins with a weekday, because `Date.parse` alone would accept "2.5". */
function timeIn(date: string): number {
  return /^[A-Z][a-z]{2,8},? /.test(date) ? Date.parse(date) : Number.NaN
}

const fallbacks: Readonly<Record<number, Words>> = {
  401: say('platform.key'),
  403: say('platform.keyScope'),
  404: say('platform.noEndpoint'),
  405: say('platform.noOperation'),
  409: say('platform.wrongState'),
  422: say('platform.wrongValue'),
  429: say('platform.tooMany'),
  500: say('platform.failed'),
}

function fallback(status: number): Words {
  if (status > 500) return say('platform.away', { status: `${status}` })
  return fallbacks[status] ?? say('platform.refused', { status: `${status}` })
}

export function outcomeOfThrown(thrown: unknown, origin: string, timeoutMs: number): NoAnswer {
  const causes: NodeJS.ErrnoException[] = []
  for (let at = thrown; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at)
  if (causes.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) {
    return { kind: 'unknown', says: say('platform.timeout', { seconds: timeoutMs / 1000 }) }
  }
  const before = causes.find(isBeforeSending)
  if (before) {
    const code = before instanceof ProxyRefused ? before.message : (before.code ?? before.syscall ?? before.name)
    return { kind: 'unreached', says: say('platform.unreached', { origin, code }) }
  }
  if (causes.some((cause) => cause instanceof UnwantedRedirect)) {
    return { kind: 'unknown', says: say('platform.redirected') }
  }
  return { kind: 'unknown', says: say('platform.broken') }
}

// If the proxy, DNS, the route, the port or the check of the certificate failed, no byte of the request was sent. Node
// throws an AggregateError only if every address of a name refused to connect.
function isBeforeSending({ name, code = '', syscall }: NodeJS.ErrnoException): boolean {
  if (name === 'AggregateError' || name === 'ProxyRefused' || syscall === 'getaddrinfo' || syscall === 'connect')
    return true
  return /^ECONNREFUSED$|^UND_ERR_(?:CONNECT_TIMEOUT|PRX_TLS)$|CERT|UNABLE_TO_(?:GET|VERIFY)|WRONG_VERSION_NUMBER/.test(
    code,
  )
}

/** The longest sentence of the platform that is shown, in characters. */
const maxLength = 300

// Control and format characters, separators of lines and paragraphs, halves of a character; colors of terminals.
const unprintable = /(?:\p{Cc}\[[\d;]*[A-Za-z]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s])+/gu

/** Returns one line of printable text with tokens masked, cut to about 300 characters; '' if nothing is left. */
export function oneLine(text: string): string {
  const printable = text.slice(0, 8 * maxLength).replace(unprintable, ' ')
  const line = hide(printable.trim())
  const characters = Array.from(line)
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('').trimEnd()}…` : line
}

/** Returns the readable text of a body of any shape in one line; '' if there is none. */
export function platformWords(body: unknown): string {
  return oneLine(wordsIn(body, 0))
}

// Known shapes: a `detail` text or list, a `message` with or without `detail`, a problem object (RFC 9457), plain text.
// A page of HTML comes from a gateway, not from the platform.
function wordsIn(body: unknown, depth: number): string {
  if (typeof body === 'string') return isMarkup.test(body.slice(0, 4096)) ? '' : body
  if (typeof body !== 'object' || body === null || depth > 3) return ''
  if (Array.isArray(body))
    return notBlank(body.slice(0, 10).map((item: unknown) => wordsIn(item, depth + 1))).join('; ')
  const { title, message, msg, error, detail, loc } = body as Record<string, unknown>
  const parts = notBlank([title, message, msg, error, detail].map((part) => wordsIn(part, depth + 1)))
  return notBlank([place(loc), [...new Set(parts)].join(': ')]).join(': ')
}

// Text that begins with a tag, or has a tag that only pages have.
const isMarkup = /^\s*<(?:!doctype\b|!--|\?xml\b|[a-z][a-z0-9]*[\s/>])|<\/?(?:html|head|body|title|h[1-6]|center)\b/i

function notBlank(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() !== '')
}

// FastAPI writes the place of a mistake as a path: ["body", "container_port"].
function place(loc: unknown): string {
  if (!Array.isArray(loc)) return ''
  const steps = loc.slice(0, 6).filter((step) => typeof step === 'string' || typeof step === 'number')
  return (steps.length > 1 ? steps.slice(1) : steps).join('.')
}
