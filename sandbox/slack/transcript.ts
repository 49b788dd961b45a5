import { linesOf } from './flatten.ts'
import type { Message } from './message.ts'
import { nameOf, type Workspace } from './workspace.ts'

/**
 * Returns a channel as its people see it: each message with its thread below it, indented. Parentheses after the author
 * say what is special: edited, broadcast, or visible to one person only.
 */
export function transcriptOf(workspace: Workspace, channelId: string): string {
  const all = (workspace.messages.get(channelId) ?? []).filter(hasContent)
  const parents = all.filter((m) => m.threadTs === undefined && (!m.deleted || hasReplies(all, m)))
  return parents
    .flatMap((parent) => [
      ...written(workspace, parent, ''),
      ...all.filter((m) => m.threadTs === parent.ts && !m.deleted).flatMap((reply) => written(workspace, reply, '  ')),
    ])
    .join('\n')
}

function hasContent(message: Message): boolean {
  return message.text !== '' || message.blocks.length > 0 || message.files.length > 0
}

function hasReplies(all: readonly Message[], parent: Message): boolean {
  return all.some((m) => m.threadTs === parent.ts && !m.deleted)
}

/** Returns a message with its author in front and its further lines indented. */
function written(workspace: Workspace, message: Message, indent: string): readonly string[] {
  if (message.deleted) return [`${indent}(This message was deleted.)`]
  const notes = [
    ...(message.edited ? ['edited'] : []),
    ...(message.broadcast ? ['broadcast'] : []),
    ...(message.ephemeralTo === undefined ? [] : [`only visible to @${nameOf(workspace, message.ephemeralTo)}`]),
  ]
  const author = `${nameOf(workspace, message.user)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  const files = message.files.map((id) => `[file: ${workspace.files.get(id)?.name ?? id}]`)
  const [first = '', ...rest] = [...linesOf(workspace, message), ...files]
  return [`${indent}${author}: ${first}`, ...rest.map((line) => `${indent}  ${line}`)]
}
