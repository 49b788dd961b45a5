import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@slack/bolt'
import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { final } from '../web/failures.ts'
import type { Session, SessionEnd } from './socket-session.ts'

/** Slack refuses the app token for good. */
export class SlackRefusedError extends Error {
  override readonly name = 'SlackRefusedError'
  constructor(reason: string) {
    super(
      `Slack refuses the app token (${reason}). Check that SLACK_APP_TOKEN is an app-level token with ` +
        'connections:write, and that the app is installed and not disabled.',
    )
  }
}

interface LinkOptions {
  readonly open: (signal: AbortSignal) => Promise<Session>
  readonly logger: Logger
  /** How long a socket under refresh stays open if Slack does not close it, ms. */
  readonly lingerMs: number
  /** Called at each socket's hello. */
  readonly onOpen: () => void
  readonly onRefused: (error: SlackRefusedError) => void
}

export type Link = ReturnType<typeof keepLinked>

/** Opens the next socket before Slack closes the last. Ends if Slack refuses the token, or on `close`. */
export function keepLinked({ open, logger, lingerMs, onOpen, onRefused }: LinkOptions) {
  const stopping = new AbortController()
  const sessions = new Set<Session>()
  /** The socket under refresh, until the next one is open. */
  let replaced: Session | undefined
  const running = keep()

  async function keep(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const end = await serve()
      // A refresh that Slack asks for happens at once; only failures are paced.
      failures = end.kind === 'asked' ? 0 : end.kind === 'lost' && end.livedMs > 30_000 ? 1 : failures + 1
      if (failures > 0) await wait(pauseAfter(failures, end), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Opens one socket; resolves when it needs a successor. */
  async function serve(): Promise<End> {
    try {
      const session = await open(stopping.signal)
      if (stopping.signal.aborted) await session.close()
      sessions.add(session)
      void session.closed.then(() => sessions.delete(session))
      if (replaced !== undefined) void linger(replaced)
      replaced = undefined
      const since = performance.now()
      onOpen()
      const leaving = await session.leaving
      if (leaving.asked) {
        replaced = session
        for (const older of [...sessions].filter((other) => other !== session)) void older.close()
      }
      return ended(leaving, performance.now() - since)
    } catch (error) {
      return failed(error)
    }
  }

  /** Slack may still deliver on a socket under refresh, so it stays open for `lingerMs` after the next one. */
  async function linger(session: Session): Promise<void> {
    const late = setTimeout(() => void session.close(), lingerMs)
    await session.closed
    clearTimeout(late)
  }

  function ended(leaving: SessionEnd, livedMs: number): End {
    if (leaving.asked && !troubled.has(leaving.reason)) return { kind: 'asked' }
    if (!stopping.signal.aborted)
      logger.warn(`A socket to Slack was lost${leaving.asked ? ` (${leaving.reason})` : ''}; opening another.`)
    return { kind: 'lost', livedMs }
  }

  function failed(error: unknown): End {
    if (stopping.signal.aborted) return { kind: 'failed' }
    if (error instanceof WebAPIPlatformError && final.has(error.data.error)) {
      stopping.abort()
      onRefused(new SlackRefusedError(error.data.error))
      return { kind: 'failed' }
    }
    logger.warn('No socket to Slack yet; trying again.', ...(error instanceof Error ? [error.message] : []))
    return {
      kind: 'failed',
      ...(error instanceof WebAPIRateLimitedError && { retryAfterMs: error.retryAfter * 1_000 }),
    }
  }

  return {
    isOpen: () => sessions.size > 0,
    async close() {
      stopping.abort()
      await Promise.all([...sessions].map((session) => session.close()))
      await running
    },
  }
}

/** Reasons of a `disconnect` frame after which the next socket has to wait. */
const troubled = new Set(['link_disabled', 'too_many_websockets'])

type End =
  | { readonly kind: 'asked' }
  | { readonly kind: 'lost'; readonly livedMs: number }
  | { readonly kind: 'failed'; readonly retryAfterMs?: number }

/** Returns ms: 0.25 s doubling to 30 s, with jitter, and at least the pause that Slack asked for. */
function pauseAfter(failures: number, end: End): number {
  const retryAfter = end.kind === 'failed' ? (end.retryAfterMs ?? 0) : 0
  return Math.max(retryAfter, Math.min(30_000, 125 * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2))
}
