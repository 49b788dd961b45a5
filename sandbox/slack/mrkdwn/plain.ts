import type { Workspace } from '../workspace.ts'
import { writeDate } from './date.ts'
import { type Node, parseMrkdwn } from './parse.ts'

/** Renders mrkdwn as a person would read it out: names for mentions, labels for links, no marks. */
export function plainMrkdwn(workspace: Workspace, text: string, zone = 'UTC'): string {
  return plainNodes(workspace, parseMrkdwn(text), zone)
}

export function plainNodes(workspace: Workspace, nodes: readonly Node[], zone = 'UTC'): string {
  let text = ''
  for (const node of nodes) {
    const plain = plainNode(workspace, node, zone)
    const apart = node.kind === 'pre' || node.kind === 'quote'
    text += apart && text !== '' && !text.endsWith('\n') ? `\n${plain}` : plain
    if (apart) text += '\n'
  }
  return text.replace(/\n$/, '')
}

function plainNode(workspace: Workspace, node: Node, zone: string): string {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
    case 'pre':
      return plainNodes(workspace, node.nodes, zone)
    case 'quote':
      return plainNodes(workspace, node.nodes, zone).replace(/^/gm, '> ')
    case 'emoji':
      return `:${node.name}:`
    case 'user':
      return `@${workspace.people.get(node.id)?.name ?? node.id}`
    case 'channel':
      return `#${workspace.channels.get(node.id)?.name ?? node.label ?? node.id}`
    case 'usergroup':
      return `@${workspace.usergroups.get(node.id)?.handle ?? node.label?.replace(/^@/, '') ?? node.id}`
    case 'broadcast':
      return `@${node.range}`
    case 'date':
      return writeDate(node.unix, node.format, zone, workspace.settings.clock.now())
    case 'link':
      return node.label ?? node.url
    case 'unknown':
      return `<${node.inner}>`
  }
}
