import type { Socket } from 'node:net'
import type { Logger } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import * as z from 'zod'
import { jsonIn } from '../../../core/model/formats.ts'
import { createConnections, type Proxies } from '../../http/transport.ts'
import { slackFetch } from '../web/client.ts'

export type Envelope = z.infer<typeof delivered>

export interface SessionOptions {
  readonly appToken: string
  readonly apiUrl?: string | undefined
  readonly logger: Logger
  readonly proxy?: Proxies | undefined
  readonly onEnvelope: (envelope: Envelope) => void
}

/** Why a session needs a successor: Slack asked for one and still delivers for some seconds, or the socket is gone. */
export type SessionEnd = { readonly asked: true; readonly reason: string } | { readonly asked: false }

/** One socket, from its hello to its end. */
export type Session = Awaited<ReturnType<typeof openSession>>

/** The limit for `apps.connections.open`, and again for Slack's hello, ms. */
const openLimit = 10_000

/** Resolves at Slack's hello. Rejects with the client's error, or undefined if it closed before. Never retries. */
export async function openSession(options: SessionOptions, signal: AbortSignal) {
  const { appToken, logger, proxy } = options
  const fetch = slackFetch(proxy)
  let socket: Socket | undefined
  const onSocket = (one: Socket) => {
    socket = one
  }
  /** Drops the client's error about a cut socket, which has no details. `keepLinked` logs the loss. */
  function tellUnlessEmpty(...parts: readonly unknown[]): void {
    if (!String(parts[0]).startsWith('WebSocket ')) logger.error(...parts)
  }
  const client = new SocketModeClient({
    appToken,
    autoReconnectEnabled: false,
    logger: { ...logger, error: tellUnlessEmpty },
    dispatcher: createConnections(proxy, { onSocket }),
    clientOptions: {
      // Explicit, because the client would otherwise add its own retries.
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: openLimit,
      fetch: (url, init) =>
        fetch(url, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
      ...(options.apiUrl !== undefined && { slackApiUrl: options.apiUrl }),
    },
  })
  const leaving = interceptRefreshes(client, logger)
  const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()))
  // The peer may have stalled, and the client does not destroy a socket that it did not make.
  void closed.then(() => socket?.destroy())
  client.on('slack_event', (delivery: unknown) => {
    const read = delivered.safeParse(delivery)
    if (read.success) options.onEnvelope(read.data)
    else logger.warn('ignored a message from Slack that is not an envelope')
  })
  await hello(client, signal)
  return {
    leaving: Promise.race([leaving, closed.then(() => ({ asked: false }) as const)]),
    closed,
    /** Closes within about a second, even if the peer does not. */
    close: () => shut(client),
  }
}

const delivered = z
  .object({
    envelope_id: z.string().min(1),
    // Each part is checked where it is read.
    body: z.record(z.string(), z.unknown()),
    // Answers through the envelope's own socket. Rejects if that is gone.
    ack: z.custom<(response?: unknown) => Promise<void>>((value) => typeof value === 'function'),
  })
  .transform(({ envelope_id: id, body, ack }) => ({ id, body, ack }))

const refresh = z.object({ type: z.literal('disconnect'), reason: z.string().catch('unknown') })

/**
 * The client (3.1.0) closes at once on a `disconnect` frame and loses acks under way, although Slack keeps the socket for
 * some seconds. So it never gets that frame. Errors in other frames are logged instead of left as unhandled rejections.
 */
function interceptRefreshes(client: SocketModeClient, logger: Logger): Promise<SessionEnd> {
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
  return refresh.safeParse(jsonIn(data)).data?.reason
}

async function hello(client: SocketModeClient, signal: AbortSignal): Promise<void> {
  const giveUp = () => void shut(client)
  const late = setTimeout(giveUp, 2 * openLimit)
  signal.addEventListener('abort', giveUp)
  try {
    await client.start()
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', giveUp)
  }
}

async function shut(client: SocketModeClient): Promise<void> {
  // The close handshake with a lost peer would take 30 s. At a second call the client drops the connection.
  const force = setTimeout(() => client.websocket?.disconnect(), 1_000)
  await client.disconnect()
  clearTimeout(force)
}
