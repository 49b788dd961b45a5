import type { WebClient } from '@slack/web-api'
import type { Done } from './delivery.ts'
import { type Failure, failureOf } from './failures.ts'
import type { Wanted } from './projection.ts'

export interface Privately {
  /** The response address that came with what is answered, while it lasts. */
  readonly replyUrlOf: (reply: string) => Promise<string | null>
  readonly fetch: typeof fetch
}

/** ms */
const timeout = 5_000

/**
 * Tells one person something: where they asked, or failing that in the channel for them alone, or by direct message.
 * The response address works in channels the bot is not in, so it comes first.
 */
export async function sendPrivately(
  client: WebClient,
  { replyUrlOf, fetch }: Privately,
  { to, message }: Wanted,
): Promise<Done | Failure> {
  if (to === undefined) throw new Error('A private message needs somebody to go to.')
  const { text } = message
  const blocks = [...message.blocks]
  const url = await replyUrlOf(to.reply).catch(() => null)
  if (
    url !== null &&
    (await replied(fetch, url, { text, blocks, response_type: 'ephemeral', replace_original: false }))
  ) {
    return { kind: 'done', channel: to.channel }
  }
  try {
    await client.chat.postEphemeral({
      channel: to.channel,
      user: to.user,
      text,
      blocks,
      link_names: false,
      parse: 'none',
    })
    return { kind: 'done', channel: to.channel }
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'closed' && failure.kind !== 'refused') return failure
  }
  try {
    const { channel, ts } = await client.chat.postMessage({
      channel: to.user,
      text,
      blocks,
      mrkdwn: false,
      link_names: false,
      parse: 'none',
    })
    return { kind: 'done', channel: channel ?? to.user, ...(ts !== undefined && { ts }) }
  } catch (error) {
    return failureOf(error)
  }
}

async function replied(fetch: Privately['fetch'], url: string, body: object): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    return answer.ok
  } catch {
    return false
  }
}
