import { elementsOf } from '../elements.ts'
import { linesOf } from '../flatten.ts'
import { isObject, type Json, type JsonObject, textAt } from '../json.ts'
import { type Message, textNodes } from '../message.ts'
import { parseMrkdwn } from '../mrkdwn/parse.ts'
import { richTextNodes } from '../mrkdwn/rich.ts'
import { unescapeEntities } from '../mrkdwn/tokens.ts'
import { slackbot } from '../people/typing.ts'
import type { View } from '../views/view.ts'
import { nameOf, type Person, type Workspace } from '../workspace.ts'
import { shownNodes } from './nodes.ts'

/** Returns a message as the page draws it for one person. */
export function shownMessage(workspace: Workspace, viewer: Person, message: Message): JsonObject {
  const { app } = workspace.settings
  return {
    channel: message.channel,
    ts: message.ts,
    author: message.user === slackbot ? 'Slackbot' : nameOf(workspace, message.user),
    authorId: message.user,
    app: message.user === app.botUserId || message.user === slackbot,
    ...momentOf(message.ts, viewer.tz),
    plain: linesOf(workspace, message, viewer.tz).join(' '),
    nodes: shownNodes(workspace, viewer, textNodes(message)),
    blocks: message.blocks.map((block) => shown(workspace, viewer, block)),
    threadTs: message.threadTs ?? null,
    broadcast: message.broadcast,
    edited: message.edited,
    deleted: message.deleted,
    ephemeral: message.ephemeralTo !== undefined,
    files: message.files.map((id) => shownFile(workspace, id)),
  }
}

export function shownView(workspace: Workspace, viewer: Person, view: View): JsonObject {
  return {
    id: view.id,
    hash: view.hash,
    title: shown(workspace, viewer, view.given['title'] ?? null),
    submit: shown(workspace, viewer, view.given['submit'] ?? null),
    close: shown(workspace, viewer, view.given['close'] ?? null),
    submitDisabled: view.given['submit_disabled'] === true,
    fillable: elementsOf(view.blocks).length > 0,
    blocks: view.blocks.map((block) => shown(workspace, viewer, block)),
    values: view.values,
  }
}

/** Returns the same structure with each text parsed into nodes, so that the page never parses mrkdwn itself. */
function shown(workspace: Workspace, viewer: Person, value: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => shown(workspace, viewer, one))
  if (!isObject(value)) return value
  const type = value['type']
  const text = textAt(value, 'text')
  if (type === 'rich_text') return { ...value, nodes: shownNodes(workspace, viewer, richTextNodes(value)) }
  if (text !== undefined && type === 'mrkdwn')
    return { ...value, nodes: shownNodes(workspace, viewer, parseMrkdwn(text)) }
  if (text !== undefined && type === 'plain_text')
    return { ...value, nodes: [{ kind: 'text', text: unescapeEntities(text) }] }
  const parts = Object.entries(value).map(([key, inner]) => [key, shown(workspace, viewer, inner ?? null)] as const)
  return Object.fromEntries(parts)
}

/** Returns the type of a picture that browsers draw and that cannot contain a script; undefined for other files. */
export function pictureType(name: string): string | undefined {
  const [, kind] = /\.(png|jpg|jpeg|gif)$/i.exec(name) ?? []
  return kind && `image/${kind.toLowerCase().replace('jpg', 'jpeg')}`
}

function shownFile(workspace: Workspace, id: string): JsonObject {
  const file = workspace.files.get(id)
  const content = file?.content
  return {
    id,
    name: file?.title ?? id,
    bytes: content?.length ?? 0,
    alt: file?.alt ?? '',
    picture: file !== undefined && pictureType(file.name) !== undefined,
    preview:
      content && /\.(log|txt|json|jsonl|csv|ya?ml|md)$/i.test(file.name) ? content.toString('utf8', 0, 2000) : null,
  }
}

/** Returns the day and time of a ts in the viewer's zone. */
function momentOf(ts: string, timeZone: string): { readonly day: string; readonly time: string } {
  const at = Number(ts) * 1000
  const write = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at)
  return {
    day: write({ weekday: 'long', day: 'numeric', month: 'long' }),
    time: write({ hour: '2-digit', minute: '2-digit' }),
  }
}
