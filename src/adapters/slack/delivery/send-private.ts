import type { WebClient } from '@slack/web-api'
import type { Language } from '../../../core/model/words.ts'
import type { Store } from '../../../core/ports/services.ts'
import { asText } from '../../../core/words/render.ts'
import type { WantedFile } from '../../../lifecycle/messages/draft.ts'
import { asIs, type Message, paragraph, simplerForms } from '../kit/blocks.ts'
import type { RequestMessage } from '../messages/draw.ts'
import type { SlackFetch } from '../web/client.ts'
import { type Failure, failureOf } from '../web/failures.ts'

export interface Done {
  readonly kind: 'done'
  readonly channel: string
  readonly ts?: string
  /** The message was already there from an earlier attempt, with the text of that time. */
  readonly found?: true
}

export interface Sending {
  /** Our own id, kept in the message's metadata so that a search can find it. */
  readonly id: string
  readonly channel: string
  readonly wanted: RequestMessage
  readonly thread?: string | undefined
  /** Set if an earlier attempt may have arrived: the time of the first one, ms since 1970. */
  readonly unconfirmedSince?: number | undefined
  /** A second copy has already been sent. */
  readonly repeated?: true | undefined
}

/** `fetch` calls the URLs that Slack returns. */
export interface DeliveryParts {
  readonly client: WebClient
  readonly fetch: SlackFetch
  readonly store: Pick<Store, 'replyUrlOf' | 'fileOf' | 'postsOf'>
}

/** A response URL works in channels without the bot, but not in threads. */
export async function sendPrivately(
  { client, fetch, store }: DeliveryParts,
  { to, message }: RequestMessage,
  thread?: string,
): Promise<Done | Failure> {
  if (to === undefined) throw new Error('A private message needs a recipient.')
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
    // A response URL gives no reason for a refusal, so one simpler form is tried.
    for (const { text, blocks } of simplerForms(message).slice(0, 2)) {
      const sent = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ text, blocks, response_type: 'ephemeral', replace_original: false }),
        signal: AbortSignal.timeout(5_000),
      }).catch(() => null)
      if (sent?.ok) return { kind: 'done', channel }
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
      // A message that may have arrived, or could be sent in a moment, is not repeated elsewhere.
      if (failure.kind !== 'closed' && failure.kind !== 'refused' && failure.kind !== 'gone') return failure
    }
  }
  return failure
}

/** Sends the fullest form that Slack accepts, so that no result is lost to a limit. */
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

/** Sends the sentence if a private file is refused. A file whose reply was lost may arrive twice: Slack cannot say. */
export async function sendFile(
  parts: DeliveryParts,
  { wanted, channel }: Sending,
  file: WantedFile,
): Promise<Done | Failure> {
  const text = await parts.store.fileOf(file.content.request, file.content.at)
  if (text === null) return sendPrivately(parts, wanted)
  const place = wanted.where === 'private' ? wanted.to : channel
  if (place === undefined) throw new Error('A file needs a recipient.')
  try {
    return await upload(parts, place, file, wanted.language, Buffer.from(text))
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'refused' && failure.kind !== 'closed') return failure
    return wanted.where === 'private' ? sendPrivately(parts, wanted) : { kind: 'closed', why: failure.why }
  }
}

/** The three steps of https://docs.slack.dev/messaging/working-with-files. Nobody sees the file before the last. */
async function upload(
  { client, fetch }: DeliveryParts,
  to: string | { readonly user: string },
  { name, says }: WantedFile,
  language: Language,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Done> {
  const { upload_url, file_id } = await client.files.getUploadURLExternal({ filename: name, length: bytes.byteLength })
  if (upload_url === undefined || file_id === undefined) throw new Error('Slack returned no address for the file.')
  const signal = AbortSignal.timeout(30_000)
  const sent = await fetch(upload_url, { method: 'POST', body: bytes, signal })
  if (!sent.ok) throw new Error(`Slack rejected the file: ${sent.status}.`)
  const place =
    typeof to === 'string' ? to : ((await client.conversations.open({ users: to.user })).channel?.id ?? to.user)
  await client.files.completeUploadExternal({
    channel_id: place,
    files: [{ id: file_id, title: name }],
    blocks: [paragraph(asText(says, language))],
  })
  return { kind: 'done', channel: place }
}
