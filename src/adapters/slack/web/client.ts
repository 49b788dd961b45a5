import { type FetchFunction, type Logger, LogLevel, WebClient, type WebClientOptions } from '@slack/web-api'
import { type Meter, silent, sparingly, unmetered } from '../../../core/ports/meter.ts'
import type { Log } from '../../../core/ports/services.ts'
import { createTransport, type Proxies } from '../../http/transport.ts'
import { isOutage, tellRefusal, tokenError } from './failures.ts'

export interface ClientOptions {
  readonly apiUrl: string | undefined
  readonly logger: Logger
  /** A limit in ms; the library has none by default. */
  readonly timeoutMs: number
  readonly proxy?: Proxies | undefined
  readonly meter?: Pick<Meter, 'happened'>
}

/** Far more than a page of the longest list. */
const maxBytes = 16 * 1024 * 1024

/** Like `fetch`, but it also takes bytes, and the text of its response can be read twice. */
export type SlackFetch = (
  url: string | URL,
  init?: Omit<NonNullable<Parameters<FetchFunction>[1]>, 'body'> & { readonly body?: string | FormData | Uint8Array },
) => Promise<Response>

const byProxy = new Map<Proxies | undefined, SlackFetch>()

/** Calls Slack over connections that all clients of a process share. Follows no redirect. */
export function slackFetch(proxy: Proxies | undefined): SlackFetch {
  const shared = byProxy.get(proxy)
  if (shared !== undefined) return shared
  const transport = createTransport({ keepMs: 30_000, connectMs: 10_000, maxBytes, proxy })
  const call: SlackFetch = async (url, { body = null, ...init } = {}) => {
    if (body instanceof FormData) throw new TypeError('Only a file would be sent as a form.')
    return transport.fetch(url, { ...init, body })
  }
  byProxy.set(proxy, call)
  return call
}

/** Counts refused and failed calls. URLs without a method are secret and need no token: they count as `files.upload`. */
function countingRefusals(send: SlackFetch, { happened }: Pick<Meter, 'happened'>, logger: Logger): SlackFetch {
  let isAway = false
  return async (url, init) => {
    const method = /\/api\/([a-zA-Z.]{1,60})$/.exec(String(url))?.[1] ?? 'files.upload'
    try {
      const response = await send(url, init)
      const why = refusalIn(response, await response.text())
      if (why !== null) {
        happened('chatRefused', { method, why })
        tellRefusal(logger, method, why)
        isAway ||= isOutage(why)
      } else if (isAway && method !== 'files.upload') {
        logger.warn('Slack answers again, and accepts the token.')
        isAway = false
      }
      return response
    } catch (error) {
      isAway = true
      happened('chatRefused', { method, why: 'no_answer' })
      throw error
    }
  }
}

/** Returns Slack's error code, or null if the call succeeded. */
function refusalIn({ ok, status }: Response, text: string): string | null {
  if (status === 429) return 'ratelimited'
  if (!ok) return `http_${status}`
  if (!/"ok":\s*false/.test(text)) return null
  return /"error":\s*"([a-z_]{1,60})"/.exec(text)?.[1] ?? 'other'
}

/** With these options the library never repeats a call, and a 429 of one channel does not delay others. */
export function clientOptions({ meter = unmetered, ...options }: ClientOptions): WebClientOptions {
  const { apiUrl, logger, timeoutMs, proxy } = options
  return {
    timeout: timeoutMs,
    fetch: countingRefusals(slackFetch(proxy), meter, logger),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger,
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
  }
}

export type Identity = Awaited<ReturnType<typeof identify>>

export function createClient(token: string, options: ClientOptions): WebClient {
  return new WebClient(token, clientOptions(options))
}

/** How to call Slack, from the environment. */
export interface SlackAccess {
  readonly botToken: { reveal(): string }
  readonly apiUrl?: string
  readonly proxy?: { reveal(): Proxies } | undefined
}

/** Makes a client for a terminal, where Slack's log lines would stand between the answers. */
export function createQuietClient({ botToken, apiUrl, proxy }: SlackAccess): WebClient {
  const logger = slackLogger(silent)
  return createClient(botToken.reveal(), { apiUrl, logger, timeoutMs: 10_000, proxy: proxy?.reveal() })
}

/** Returns the token's identity. Throws full sentences; Misconfigured if Slack permanently refuses the token. */
export async function identify(client: WebClient) {
  try {
    const { team_id, enterprise_id, bot_id, user_id } = await client.auth.test()
    // The Enterprise Grid organization of the workspace.
    const grid = enterprise_id && { enterprise: enterprise_id }
    return { team: team_id ?? '', ...grid, botId: bot_id ?? '', botUserId: user_id ?? '' }
  } catch (error) {
    throw tokenError(error, (code) => `Slack does not accept the bot token (${code}). Check SLACK_BOT_TOKEN.`)
  }
}

/** Whether a URL in a delivery belongs to Slack or to SLACK_API_URL. */
export function slacksOwn(apiUrl: string | undefined): (url: string) => boolean {
  const configured = apiUrl === undefined ? undefined : `${new URL(apiUrl).origin}/`
  return (url) => slackAddress.test(url) || (configured !== undefined && url.startsWith(configured))
}

/** A URL parser would slow down each command. Only the host comes before the first `/`. */
const slackAddress = /^https:\/\/(?:[a-z0-9-]+\.)*slack(?:-gov)?\.com\//i

/** Logs Slack's lines, except debug lines, which print tickets. A repeated problem is logged once, then counted. */
export function slackLogger(log: Log): Logger {
  const to = (level: 'warn' | 'error') => {
    const tell = sparingly({ warn: (fields, words) => log[level](fields, words) })
    return (...parts: unknown[]) => {
      const err = parts.find((part) => part instanceof Error)
      const words = parts.map(wordsOf).join(' ')
      tell(words.replaceAll(anyId, '…'), err ? { err } : {}, words)
    }
  }
  return {
    debug: () => {},
    info: (...parts) => log.info({}, parts.map(wordsOf).join(' ')),
    warn: to('warn'),
    error: to('error'),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  }
}

/** Ids, which differ between lines about the same problem. Error codes are shorter. */
const anyId = /\b(?=\w*\d)[\w-]{8,}/g

function wordsOf(part: unknown): string {
  if (part instanceof Error) return part.message || ('code' in part ? String(part.code) : part.name)
  return typeof part === 'object' && part !== null ? `[${part.constructor?.name ?? 'object'}]` : String(part)
}
