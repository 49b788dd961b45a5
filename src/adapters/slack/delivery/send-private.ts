import type { WebClient } from '@slack/web-api'
import type { Wanted } from '../messages/of-request.ts'
import { type Failure, failureOf } from '../web/failures.ts'
import type { Done } from './wire.ts'

export interface Privately {
  /** The response address that came with what is answered, while it lasts. */
  readonly replyUrlOf: (reply: string) => Promise<string | null>
  readonly fetch: typeof fetch
}

/** ms */
const timeout = 5_000

/**
 * Tells one person something: in the thread they pressed in, where they asked, in the channel for them alone, or by
 * direct message. A response address works in channels the bot is not in, but knows no threads.
 */
export async function sendPrivately(
  client: WebClient,
  { replyUrlOf, fetch }: Privately,
  { to, message }: Wanted,
  thread?: string,
): Promise<Done | Failure> {
  if (to === undefined) throw new Error('A private message needs somebody to go to.')
  const { channel, user } = to
  const said = { text: message.text, blocks: [...message.blocks], link_names: false, parse: 'none' } as const

  async function alone(where: { readonly thread_ts?: string }): Promise<Done> {
    await client.chat.postEphemeral({ channel, user, ...said, ...where })
    return { kind: 'done', channel }
  }
  async function directly(): Promise<Done> {
    const sent = await client.chat.postMessage({ channel: user, ...said, mrkdwn: false })
    return { kind: 'done', channel: sent.channel ?? user, ...(sent.ts !== undefined && { ts: sent.ts }) }
  }
  async function reply(): Promise<Done | null> {
    const url = await replyUrlOf(to?.reply ?? '').catch(() => null)
    const body = { text: said.text, blocks: said.blocks, response_type: 'ephemeral', replace_original: false }
    return url !== null && (await replied(fetch, url, body)) ? { kind: 'done', channel } : null
  }

  const ways =
    channel === user
      ? [directly]
      : [
          ...(to.inThread && thread !== undefined ? [() => alone({ thread_ts: thread })] : []),
          reply,
          () => alone({}),
          directly,
        ]
  let failure: Failure = { kind: 'closed', why: 'nobody' }
  for (const way of ways) {
    try {
      const done = await way()
      if (done !== null) return done
    } catch (error) {
      failure = failureOf(error)
      // Whatever may have arrived, or may arrive in a moment, is not said a second time elsewhere.
      if (failure.kind !== 'closed' && failure.kind !== 'refused' && failure.kind !== 'gone') return failure
    }
  }
  return failure
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
