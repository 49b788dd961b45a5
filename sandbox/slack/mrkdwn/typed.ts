import type { Workspace } from '../workspace.ts'
import { escapeEntities } from './tokens.ts'

/** Returns typed text as Slack sends it with `should_escape`: names and addresses as tokens, the rest escaped. */
export function escapeTyped(workspace: Workspace, text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>]+|(?<![\w@#&])[@#][\p{L}\d._-]*[\p{L}\d_-])/u)
    .map((part, at) => (at % 2 === 1 ? tokenOf(workspace, part) : escapeEntities(part)))
    .join('')
}

function tokenOf(workspace: Workspace, part: string): string {
  if (part.startsWith('@')) return mentionOf(workspace, part.slice(1)) ?? part
  if (part.startsWith('#')) return channelOf(workspace, part.slice(1)) ?? part
  return `<${part.replaceAll('&', '&amp;')}>`
}

function mentionOf(workspace: Workspace, name: string): string | undefined {
  if (name === 'here' || name === 'channel' || name === 'everyone') return `<!${name}>`
  const person = [...workspace.people.values()].find((p) => p.name === name)
  if (person) return `<@${person.id}|${person.name}>`
  const group = [...workspace.usergroups.values()].find((g) => g.handle === name)
  return group && `<!subteam^${group.id}|@${group.handle}>`
}

function channelOf(workspace: Workspace, name: string): string | undefined {
  const channel = [...workspace.channels.values()].find((c) => c.name === name && c.kind !== 'im')
  if (!channel) return undefined
  // Slack leaves out the name of a private channel.
  return `<#${channel.id}|${channel.kind === 'private' ? '' : channel.name}>`
}
