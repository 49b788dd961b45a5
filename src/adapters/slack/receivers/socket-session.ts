import type { Logger } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import * as z from 'zod'

/** A delivery over a socket. */
export interface Envelope {
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
  readonly retryNum: number | undefined
  readonly retryReason: string | undefined
  /** Answers through the socket the envelope came on. Rejects when that socket is gone. */
  ack(response?: unknown): Promise<void>
}

export interface SessionOptions {
  readonly appToken: string
  /** Another Slack than slack.com. */
  readonly apiUrl: string | undefined
  readonly logger: Logger
  readonly onEnvelope: (envelope: Envelope) => void
}

/** How a session came to need a successor: Slack asked (it still delivers for some seconds), or the socket is gone. */
export type Leaving = { readonly asked: true; readonly reason: string } | { readonly asked: false }

/** One socket, from its hello to its end. */
export interface Session {
  readonly leaving: Promise<Leaving>
  readonly closed: Promise<void>
  /** Closes within about a second, whatever the other side does. */
  close(): Promise<void>
}

/** ms; for `apps.connections.open`, and again until Slack's hello. */
const patience = 10_000

/**
 * Opens one socket; resolves at Slack's hello. Rejects with the client's error, or with none if the socket closed
 * before the hello. Nothing is tried again here.
 */
export async function openSession(options: SessionOptions, signal: AbortSignal): Promise<Session> {
  const client = new SocketModeClient({
    appToken: options.appToken,
    autoReconnectEnabled: false,
    logger: options.logger,
    clientOptions: {
      // Given explicitly, since the client writes its own into an options object without one.
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: patience,
      fetch: (url, init) =>
        fetch(url, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
      ...(options.apiUrl !== undefined && { slackApiUrl: options.apiUrl }),
    },
  })
  const leaving = holdBackRefreshes(client, options.logger)
  const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()))
  client.on('slack_event', (delivery: unknown) => {
    const read = delivered.safeParse(delivery)
    if (read.success) options.onEnvelope(read.data)
    else options.logger.warn('Slack sent something that is not an envelope; it was left alone.')
  })
  await hello(client, signal)
  return {
    leaving: Promise.race([leaving, closed.then(() => ({ asked: false }) as const)]),
    closed,
    close: () => shut(client),
  }
}

const delivered = z
  .object({
    envelope_id: z.string().min(1),
    // Handed on as it is; who reads a part of it checks that part.
    body: z.custom<Envelope['body']>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    retry_num: z.number().optional().catch(undefined),
    retry_reason: z.string().optional().catch(undefined),
    ack: z.custom<Envelope['ack']>((value) => typeof value === 'function'),
  })
  .transform(({ envelope_id: id, body, ack, retry_num: retryNum, retry_reason: retryReason }): Envelope => {
    return { id, body, ack, retryNum, retryReason }
  })

const refresh = z.object({ type: z.literal('disconnect'), reason: z.string().catch('unknown') })

/**
 * The client (3.1.0) closes at once on a `disconnect` frame, so acks under way are lost, although Slack keeps the
 * socket for some seconds more. So that frame is kept from it; the rest it reads itself, and a frame it chokes on ends
 * here instead of in an unhandled rejection.
 */
function holdBackRefreshes(client: SocketModeClient, logger: Logger): Promise<Leaving> {
  const handlers: ((...frame: unknown[]) => unknown)[] = client.listeners('ws_message')
  client.removeAllListeners('ws_message')
  return new Promise((resolve) => {
    client.on('ws_message', (...frame: unknown[]) => {
      const reason = refreshIn(frame[0])
      if (reason !== undefined) return resolve({ asked: true, reason })
      for (const handle of handlers)
        Promise.resolve(handle(...frame)).catch((error: unknown) =>
          logger.warn('A frame from Slack could not be read:', error),
        )
    })
  })
}

function refreshIn(data: unknown): string | undefined {
  if (typeof data !== 'string' || !data.includes('"disconnect"')) return undefined
  try {
    return refresh.safeParse(JSON.parse(data)).data?.reason
  } catch {
    return undefined
  }
}

async function hello(client: SocketModeClient, signal: AbortSignal): Promise<void> {
  const giveUp = () => void shut(client)
  const late = setTimeout(giveUp, 2 * patience)
  signal.addEventListener('abort', giveUp)
  try {
    await client.start()
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', giveUp)
  }
}

async function shut(client: SocketModeClient): Promise<void> {
  // The close handshake of a peer that is gone would take 30 s; asked a second time, the client drops the connection.
  const force = setTimeout(() => client.websocket?.disconnect(), 1_000)
  await client.disconnect()
  clearTimeout(force)
}
