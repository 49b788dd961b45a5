import type { WebClient } from '@slack/web-api'
import { type Message, small } from './blocks.ts'
import { type Failure, failureOf } from './failures.ts'
import { type Files, sendFile } from './files.ts'
import { lookFor } from './look-for.ts'
import { plainest } from './plainest.ts'
import { type Privately, sendPrivately } from './privately.ts'
import type { Wanted } from './projection.ts'

export interface Done {
  readonly kind: 'done'
  readonly channel: string
  readonly ts?: string
  /** It was there already, from an earlier try; it says what was meant then. */
  readonly found?: true
}

export interface Sending {
  /** Ours, kept in the message's metadata, so that it can be found again. */
  readonly id: string
  readonly channel: string
  readonly wanted: Wanted
  readonly thread?: string
  /** Set when an earlier try may have arrived, ms since 1970. */
  readonly unconfirmedSince?: number
  /** One copy more has been sent already. */
  readonly repeated?: true
}

export interface Delivery {
  send(sending: Sending): Promise<Done | Failure>
  edit(at: { readonly channel: string; readonly ts: string }, message: Message): Promise<Done | Failure>
}

/** Never link names, never unfurl, never read markup: what is sent is what is meant. */
const asIs = { mrkdwn: false, link_names: false, parse: 'none', unfurl_links: false, unfurl_media: false } as const

/**
 * Sends and edits. `client` must not retry by itself: a post whose answer was lost may have arrived, and is looked
 * for before it is sent again.
 */
export function createDelivery(client: WebClient, privately: Privately & Files): Delivery {
  async function post({ id, channel, wanted, thread }: Sending, { text, blocks }: Message): Promise<Done> {
    const place = placeOf(wanted.where, channel, thread)
    const answer = await client.chat.postMessage({
      ...asIs,
      ...place,
      text,
      blocks: [...blocks],
      metadata: { event_type: 'lamplighter', event_payload: { id } },
    })
    return { kind: 'done', channel: answer.channel ?? channel, ...(answer.ts !== undefined && { ts: answer.ts }) }
  }

  /**
   * Without the right to read the channel an earlier copy cannot be found; one more is sent, and says so. There is no
   * third: a place where nothing can be confirmed is no place.
   */
  async function repeat(sending: Sending): Promise<Done | Failure> {
    if (sending.repeated === true) return { kind: 'closed', why: 'unconfirmed' }
    try {
      return await fitting(repeated(sending.wanted.message), (message) => post(sending, message))
    } catch (error) {
      const failure = failureOf(error)
      return failure.kind === 'unknown' ? { ...failure, repeated: true } : failure
    }
  }

  return {
    async send(sending) {
      const { wanted } = sending
      if (wanted.file !== undefined) return sendFile(client, privately, sending, wanted.file)
      if (wanted.where === 'private') return sendPrivately(client, privately, wanted, sending.thread)
      try {
        const found =
          sending.unconfirmedSince === undefined ? null : await lookFor(client, sending, sending.unconfirmedSince)
        if (found === 'perhaps') return await repeat(sending)
        return found ?? (await fitting(wanted.message, (message) => post(sending, message)))
      } catch (error) {
        return failureOf(error)
      }
    },

    async edit({ channel, ts }, message) {
      try {
        await fitting(message, ({ text, blocks }) =>
          client.chat.update({ channel, ts, text, blocks: [...blocks], link_names: false, parse: 'none' }),
        )
        return { kind: 'done', channel, ts }
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

function placeOf(
  where: Wanted['where'],
  channel: string,
  thread: string | undefined,
):
  | { channel: string }
  | { channel: string; thread_ts: string }
  | { channel: string; thread_ts: string; reply_broadcast: true } {
  if (where === 'channel' || where === 'operations' || thread === undefined) return { channel }
  return where === 'thread' ? { channel, thread_ts: thread } : { channel, thread_ts: thread, reply_broadcast: true }
}

/** Whole; else as the plainest sentence; else as its bare text. An end must never be lost to a limit. */
async function fitting<T>(message: Message, send: (message: Message) => Promise<T>): Promise<T> {
  const plain = plainest(message)
  for (const form of [message, plain]) {
    try {
      return await send(form)
    } catch (error) {
      if (failureOf(error).kind !== 'unfit') throw error
    }
  }
  return await send({ text: plain.text, blocks: [] })
}

function repeated({ text, blocks }: Message): Message {
  return { text: `${text} (repeated)`, blocks: [...blocks, small('Repeated: the first copy may not have arrived.')] }
}
