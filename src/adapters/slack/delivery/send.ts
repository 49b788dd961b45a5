import type { WebClient } from '@slack/web-api'
import { contextLine, type Message } from '../kit/blocks.ts'
import type { RequestMessage } from '../messages/draw.ts'
import { type Failure, failureOf } from '../web/failures.ts'
import { type Files, sendFile } from './send-file.ts'
import { fitting, type Privately, sendPrivately } from './send-private.ts'
import type { Delivery, Done, Sending } from './wire.ts'

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
   * Without the right to read the channel an earlier copy cannot be found; one more is sent, and says so. If that one
   * cannot be confirmed either, the channel counts as closed.
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
  where: RequestMessage['where'],
  channel: string,
  thread: string | undefined,
):
  | { channel: string }
  | { channel: string; thread_ts: string }
  | { channel: string; thread_ts: string; reply_broadcast: true } {
  if (where === 'channel' || where === 'operations' || thread === undefined) return { channel }
  return where === 'thread' ? { channel, thread_ts: thread } : { channel, thread_ts: thread, reply_broadcast: true }
}

function repeated({ text, blocks }: Message): Message {
  return {
    text: `${text} (repeated)`,
    blocks: [...blocks, contextLine('Repeated: the first copy may not have arrived.')],
  }
}

/** How far back to look before the first try, s: clocks differ. */
const before = 10

/**
 * A post of ours that may have arrived: found by its metadata, or certainly not there (null). `perhaps`: the channel
 * cannot be read, or so much has been said in it since that not all of it was looked at.
 */
async function lookFor(
  client: WebClient,
  { id, channel, thread, wanted }: Sending,
  since: number,
): Promise<Done | null | 'perhaps'> {
  const oldest = String(since / 1000 - before)
  const range = { channel, oldest, limit: 100, include_all_metadata: true }
  try {
    const inThread = wanted.where.startsWith('thread') && thread !== undefined
    const { messages, has_more } = inThread
      ? await client.conversations.replies({ ...range, ts: thread })
      : await client.conversations.history(range)
    const found = (messages ?? []).find(
      ({ metadata }) => metadata?.event_payload !== undefined && Reflect.get(metadata.event_payload, 'id') === id,
    )
    if (found?.ts !== undefined) return { kind: 'done', channel, ts: found.ts, found: true }
    return has_more === true ? 'perhaps' : null
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'refused' || failure.kind === 'closed') return 'perhaps'
    throw error
  }
}
