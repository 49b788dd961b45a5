import type { Language } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'
import type { WantedFile } from '../../../lifecycle/messages/draft.ts'
import { paragraph } from '../kit/blocks.ts'
import { type Failure, failureOf } from '../web/calls.ts'
import { sendPrivately } from './send-private.ts'
import type { DeliveryParts, Done, Sending } from './wire.ts'

/**
 * Sends a file: a private one to one person, in their direct conversation with the app, any other to its channel.
 * Where Slack will not have it, that person reads the sentence in its place; in a channel the answer stands without it.
 * It may come twice, since Slack cannot be asked whether one whose last answer was lost has arrived.
 */
export async function sendFile(
  parts: DeliveryParts,
  { wanted, channel }: Sending,
  file: WantedFile,
): Promise<Done | Failure> {
  const text = await parts.store.fileOf(file.content.request, file.content.at)
  if (text === null) return sendPrivately(parts, wanted)
  const place = wanted.where === 'private' ? wanted.to : channel
  if (place === undefined) throw new Error('A file needs somebody to go to.')
  try {
    return await upload(parts, place, file, wanted.language, Buffer.from(text))
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'refused' && failure.kind !== 'closed') return failure
    return wanted.where === 'private' ? sendPrivately(parts, wanted) : { kind: 'closed', why: failure.why }
  }
}

/** The three steps of https://docs.slack.dev/messaging/working-with-files. People see nothing before the last one. */
async function upload(
  { client, fetch }: DeliveryParts,
  to: string | { readonly user: string },
  { name, says }: WantedFile,
  language: Language,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Done> {
  const { upload_url, file_id } = await client.files.getUploadURLExternal({ filename: name, length: bytes.byteLength })
  if (upload_url === undefined || file_id === undefined) throw new Error('Slack gave no address for the file.')
  const signal = AbortSignal.timeout(30_000)
  const sent = await fetch(upload_url, { method: 'POST', body: bytes, signal })
  if (!sent.ok) throw new Error(`Slack did not take the file: ${sent.status}.`)
  const place =
    typeof to === 'string' ? to : ((await client.conversations.open({ users: to.user })).channel?.id ?? to.user)
  await client.files.completeUploadExternal({
    channel_id: place,
    files: [{ id: file_id, title: name }],
    blocks: [paragraph(asText(says, language))],
  })
  return { kind: 'done', channel: place }
}
