import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@slack/bolt'
import { WebAPIRateLimitedError } from '@slack/web-api'
import { codeOf, isFinal } from '../web/failures.ts'
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
  /** How many sockets in a row could not be opened, or were soon lost. */
  let failures = 0
  const running = keep()

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await serve()
      if (pause > 0) await wait(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Opens one socket. Resolves when it needs a successor, with the pause before that one, ms. */
  async function serve(): Promise<number> {
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

  function ended(leaving: SessionEnd, livedMs: number): number {
    const isRefresh = leaving.asked && !troubled.has(leaving.reason)
    if (isRefresh || livedMs > 30_000) failures = 0
    // A refresh that Slack asks for happens at once; only failures are paced.
    if (isRefresh) return 0
    if (!stopping.signal.aborted)
      logger.warn(`A socket to Slack was lost${leaving.asked ? ` (${leaving.reason})` : ''}; opening another.`)
    return nextPause()
  }

  function failed(error: unknown): number {
    if (stopping.signal.aborted) return 0
    if (isFinal(codeOf(error))) {
      stopping.abort()
      onRefused(new SlackRefusedError(codeOf(error)))
      return 0
    }
    logger.warn('No socket to Slack yet; trying again.', ...(error instanceof Error ? [error.message] : []))
    return Math.max(nextPause(), error instanceof WebAPIRateLimitedError ? error.retryAfter * 1_000 : 0)
  }

  /** Returns ms: 0.25 s doubling to 30 s, with jitter. */
  function nextPause(): number {
    failures += 1
    return Math.min(30_000, 125 * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2)
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
