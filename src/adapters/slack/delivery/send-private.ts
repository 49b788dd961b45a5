import { asIs, type Message, simplerForms } from '../kit/blocks.ts'
import type { RequestMessage } from '../messages/draw.ts'
import { type Failure, failureOf } from '../web/calls.ts'
import type { DeliveryParts, Done } from './wire.ts'

/**
 * Tells one person something: in the thread they pressed in, where they asked, in the channel for them alone, or by
 * direct message. A response address works in channels the bot is not in, but knows no threads.
 */
export async function sendPrivately(
  { client, fetch, store }: DeliveryParts,
  { to, message }: RequestMessage,
  thread?: string,
): Promise<Done | Failure> {
  if (to === undefined) throw new Error('A private message needs somebody to go to.')
  const { channel, user } = to

  async function alone(where: { readonly thread_ts?: string }): Promise<Done> {
    await fitting(message, (said) => client.chat.postEphemeral({ channel, user, ...asIs(said), ...where }))
    return { kind: 'done', channel }
  }
  async function directly(): Promise<Done> {
    const sent = await fitting(message, (said) =>
      client.chat.postMessage({ channel: user, ...asIs(said), mrkdwn: false }),
    )
    return { kind: 'done', channel: sent.channel ?? user, ...(sent.ts !== undefined && { ts: sent.ts }) }
  }
  async function reply(): Promise<Done | null> {
    const url = await store.replyUrlOf(to?.reply ?? '').catch(() => null)
    if (url === null) return null
    // The address says no without saying why: what Slack may not know yet is left out once.
    for (const { text, blocks } of simplerForms(message).slice(0, 2)) {
      const body = { text, blocks, response_type: 'ephemeral', replace_original: false }
      if (await isTaken(fetch, url, body)) return { kind: 'done', channel }
    }
    return null
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

/** Sends a message in the fullest form that Slack accepts: an end must never be lost to a limit. */
export async function fitting<T>(whole: Message, send: (message: Message) => Promise<T>): Promise<T> {
  let refused: unknown
  for (const form of simplerForms(whole)) {
    try {
      return await send(form)
    } catch (error) {
      if (failureOf(error).kind !== 'unfit') throw error
      refused = error
    }
  }
  throw refused
}

async function isTaken(fetch: DeliveryParts['fetch'], url: string, body: object): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    })
    return answer.ok
  } catch {
    return false
  }
}
