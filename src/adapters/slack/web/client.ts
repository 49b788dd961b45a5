import { type Logger, LogLevel, WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api'
import { sparingly } from '../../../core/ports/log-sparingly.ts'
import { type Log, Misconfigured } from '../../../core/ports/services.ts'
import { final } from '../receivers/linked-sockets.ts'
import { carry } from './transport.ts'

export interface ClientOptions {
  readonly apiUrl: string | undefined
  readonly logger: Logger
  /** ms; the library itself would wait for ever. */
  readonly timeoutMs: number
}

/** Nothing is sent twice by itself, and one 429 must not hold up every other channel. */
export function clientOptions({ apiUrl, logger, timeoutMs }: ClientOptions): WebClientOptions {
  return {
    timeout: timeoutMs,
    fetch: carry,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger,
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/` }),
  }
}

/** Who we are at Slack, asked once at the start. */
export interface Identity {
  readonly team: string
  /** The organisation of an Enterprise Grid that the workspace belongs to. */
  readonly enterprise?: string
  readonly botId: string
  readonly botUserId: string
}

export function createClient(token: string, options: ClientOptions): WebClient {
  return new WebClient(token, clientOptions(options))
}

/** Asks Slack who the token is. Throws a sentence; Misconfigured where asking again would not help. */
export async function identify(client: WebClient): Promise<Identity> {
  try {
    const { team_id, enterprise_id, bot_id, user_id } = await client.auth.test()
    const enterprise = enterprise_id ? { enterprise: enterprise_id } : {}
    return { team: team_id ?? '', ...enterprise, botId: bot_id ?? '', botUserId: user_id ?? '' }
  } catch (error) {
    const code = error instanceof WebAPIPlatformError ? error.data.error : undefined
    if (code !== undefined && final.has(code))
      throw new Misconfigured(`Slack does not accept the bot token (${code}). Check SLACK_BOT_TOKEN.`)
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `Slack could not be reached (${why}). Check the network and, if set, SLACK_API_URL: it ends with /api/.`,
    )
  }
}

/** Whether an address that came with a delivery is Slack's own, or that of the Slack named in SLACK_API_URL. */
export function slacksOwn(apiUrl: string | undefined): (url: string) => boolean {
  const own = apiUrl === undefined ? undefined : new URL(apiUrl).origin
  return (url) => {
    if (!URL.canParse(url)) return false
    const { origin, protocol, hostname } = new URL(url)
    return origin === own || (protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(hostname))
  }
}

/**
 * Slack's libraries write to our log. Their debug lines are dropped at every level: they print whole payloads, and
 * addresses with tickets. Their level and name are ours to set, not theirs. They tell every attempt, so the same
 * trouble is told once, then counted.
 */
export function slackLogger(log: Log): Logger {
  const to = (write: 'warn' | 'error') => {
    const tell = sparingly({ warn: log[write] })
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

/** Ids differ from line to line of the same trouble; codes, which are shorter, tell one trouble from another. */
const anyId = /\b(?=\w*\d)[\w-]{8,}/g

function wordsOf(part: unknown): string {
  if (part instanceof Error) return part.message
  return typeof part === 'object' && part !== null ? `[${part.constructor?.name ?? 'object'}]` : String(part)
}
