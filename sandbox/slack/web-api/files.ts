import { isObject, type JsonObject, textAt } from '../json.ts'
import { post } from '../messages.ts'
import type { StoredFile } from '../workspace.ts'
import type { Context, Methods } from './call.ts'
import { readBlocks } from './content.ts'
import { writablePlace } from './places.ts'
import { Refusal } from './refusal.ts'

const writing = (): readonly string[] => ['files:write']

/** Uploads: the app requests an address, sends the bytes there, and says where the file belongs. */
export const fileMethods: Methods = {
  'files.getUploadURLExternal': { scopes: writing, perMinute: 100, run: getUploadUrl },
  'files.completeUploadExternal': { scopes: writing, perMinute: 100, run: completeUpload },
}

function getUploadUrl({ workspace, args }: Context): JsonObject {
  const name = args.required('filename')
  const length = args.number('length')
  if (length === undefined || !Number.isInteger(length) || length < 1) throw new Refusal('invalid_arguments')
  const alt = args.text('alt_txt') ?? ''
  if (alt.length > 1_000) throw new Refusal('alt_txt_too_large')
  const id = workspace.ids.next('F')
  workspace.files.set(id, { id, name, title: name, alt, length, content: undefined })
  return { upload_url: `${workspace.origin}/upload/${workspace.secret}/${id}`, file_id: id }
}

function completeUpload({ workspace, args }: Context): JsonObject {
  const given = args.json('files')
  if (!Array.isArray(given) || given.length === 0) throw new Refusal('invalid_arguments')
  const files = given
    .filter(isObject)
    .map((one) => uploaded(workspace.files.get(textAt(one, 'id') ?? ''), textAt(one, 'title')))
  const place = args.text('channel_id') ?? args.text('channels')
  // A file without a channel stays private.
  const channel = place === undefined ? undefined : writablePlace(workspace, place)
  for (const file of files) workspace.files.set(file.id, file)
  if (channel) {
    const { app } = workspace.settings
    const threadTs = args.text('thread_ts')
    const blocks = readBlocks(workspace, args)
    post(workspace, {
      channel: channel.id,
      user: app.botUserId,
      botId: app.botId,
      text: args.text('initial_comment') ?? '',
      files: files.map((file) => file.id),
      ...(blocks ? { blocks } : {}),
      ...(threadTs === undefined ? {} : { threadTs }),
    })
  }
  return { files: files.map(({ id, title }) => ({ id, title })) }
}

function uploaded(file: StoredFile | undefined, title: string | undefined): StoredFile {
  if (!file) throw new Refusal('file_not_found')
  if (!file.content) throw new Refusal('file_not_found')
  return { ...file, title: title ?? file.title }
}
