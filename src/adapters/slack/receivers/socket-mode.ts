import { setTimeout as wait } from 'node:timers/promises'
import type { App, Receiver } from '@slack/bolt'
import type { Meter } from '../../../core/ports/meter.ts'
import { inTime } from '../../../core/requests/gateway.ts'
import { keepLinked, type Link, type SlackRefusedError } from './linked-sockets.ts'
import { type Envelope, openSession, type SessionOptions } from './socket-session.ts'
import { timedAck } from './verify.ts'

export interface SocketReceiverOptions extends Omit<SessionOptions, 'onEnvelope'> {
  readonly meter: Pick<Meter, 'happened'>
  /** Called once if Slack withdraws the app token after the start. Nothing is delivered from then on. */
  readonly onFatal: (error: SlackRefusedError) => void
  /** From the first hello to the second socket, ms, so that they are not refreshed together. 5,000 by default. */
  readonly secondAfterMs?: number
  /** Slack closes a socket about 10 s after it asked for a refresh. ms, 15,000 by default. */
  readonly lingerMs?: number
}

/**
 * Socket Mode over two sockets. A single socket misses commands for seconds at each refresh, and Slack does not send them
 * again. `start()` resolves at the first hello and rejects with SlackRefusedError. Listeners get the envelope's id as
 * `context.deliveryId`.
 */
export function createSocketReceiver(options: SocketReceiverOptions): Receiver & { readonly isUp: () => boolean } {
  const { logger, meter, onFatal, secondAfterMs = 5_000, lingerMs = 15_000 } = options
  const links: Link[] = []
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  let app: App | undefined

  function onEnvelope(envelope: Envelope): void {
    const handled = handle(envelope).finally(() => underWay.delete(handled))
    underWay.add(handled)
  }

  async function handle(envelope: Envelope): Promise<void> {
    try {
      await app?.processEvent({
        body: envelope.body,
        ack: ackOnce(envelope),
        customProperties: { deliveryId: envelope.id },
      })
    } catch (error) {
      logger.error('A listener failed:', error)
    }
  }

  function ackOnce(envelope: Envelope): (response?: unknown) => Promise<void> {
    const ack = timedAck(envelope.body, meter, (response?: unknown) => envelope.ack(response))
    let acked = false
    return async (response) => {
      if (acked) return
      acked = true
      // The request is stored, and its card will show the end.
      await ack(response).catch((error: unknown) =>
        logger.warn(`The answer to ${envelope.id} did not reach Slack:`, error),
      )
    }
  }

  function link(onOpen: () => void, onRefused: (error: SlackRefusedError) => void): void {
    const open = (signal: AbortSignal) => openSession({ ...options, onEnvelope }, signal)
    links.push(keepLinked({ open, logger, lingerMs, onOpen, onRefused }))
  }

  /** A refusal before the first hello rejects; a later one of either socket calls `onFatal` once. */
  async function start(): Promise<void> {
    let refused: ((error: SlackRefusedError) => void) | undefined
    await new Promise<void>((resolve, reject) => {
      refused = reject
      stopping.signal.addEventListener('abort', () => reject(new Error('Stopped before Slack said hello.')))
      link(resolve, (error) => refused?.(error))
    })
    refused = (error) => {
      refused = undefined
      onFatal(error)
    }
    const ignore = () => {}
    const second = () => link(ignore, (error) => refused?.(error))
    void wait(secondAfterMs, undefined, { signal: stopping.signal }).then(second, ignore)
  }

  async function stop(): Promise<void> {
    stopping.abort()
    // Deliveries under way still get an answer.
    await inTime(Promise.all(underWay), undefined, 2_000)
    await Promise.all(links.map((one) => one.close()))
  }

  return {
    init: (given) => {
      app = given
    },
    start,
    stop,
    isUp: () => links.some((one) => one.isOpen()),
  }
}
