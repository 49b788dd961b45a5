import type { WebClient } from '@slack/web-api'
import type { Done, Sending } from './delivery.ts'
import { failureOf } from './failures.ts'

/** How far back to look before the first try, s: clocks differ. */
const before = 10

/**
 * A post of ours that may have arrived: found by its metadata, or certainly not there (null). `perhaps`: the channel
 * cannot be read, or so much has been said in it since that not all of it was looked at.
 */
export async function lookFor(
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
