import type { WebClient } from '@slack/web-api'
import { paragraph } from './blocks.ts'
import type { Done } from './delivery.ts'
import { type Failure, failureOf } from './failures.ts'
import { type Privately, sendPrivately } from './privately.ts'
import type { Wanted, WantedFile } from './projection.ts'

export interface Files {
  /** What is in one of a request's files; null when it is gone. */
  readonly fileOf: (request: string, at: number) => Promise<string | null>
}

/** ms, for the bytes of a file. */
const timeout = 30_000

/**
 * Sends a file to one person, in their direct conversation with the app. Where Slack will not have it, the sentence in
 * its place is said instead. Slack cannot be asked whether a file whose last answer was lost has arrived: it may come
 * twice then, which is better than never.
 */
export async function sendFile(
  client: WebClient,
  privately: Privately & Files,
  wanted: Wanted,
  file: WantedFile,
): Promise<Done | Failure> {
  const text = await privately.fileOf(file.request, file.at)
  if (text === null) return sendPrivately(client, privately, wanted)
  try {
    return await upload(client, privately.fetch, wanted, file, Buffer.from(text))
  } catch (error) {
    const failure = failureOf(error)
    return failure.kind === 'refused' || failure.kind === 'closed' ? sendPrivately(client, privately, wanted) : failure
  }
}

/** The three steps of https://docs.slack.dev/messaging/working-with-files. People see nothing before the last one. */
async function upload(
  client: WebClient,
  fetch: Privately['fetch'],
  { to }: Wanted,
  { name, says }: WantedFile,
  bytes: Buffer<ArrayBuffer>,
): Promise<Done> {
  if (to === undefined) throw new Error('A file needs somebody to go to.')
  const { upload_url, file_id } = await client.files.getUploadURLExternal({ filename: name, length: bytes.byteLength })
  if (upload_url === undefined || file_id === undefined) throw new Error('Slack gave no address for the file.')
  const signal = AbortSignal.timeout(timeout)
  const sent = await fetch(upload_url, { method: 'POST', body: bytes, redirect: 'error', signal })
  if (!sent.ok) throw new Error(`Slack did not take the file: ${sent.status}.`)
  const { channel } = await client.conversations.open({ users: to.user })
  const place = channel?.id ?? to.user
  await client.files.completeUploadExternal({
    channel_id: place,
    files: [{ id: file_id, title: name }],
    blocks: [paragraph(says)],
  })
  return { kind: 'done', channel: place }
}
