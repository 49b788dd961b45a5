import type { Json } from '../json.ts'
import { writeDate } from '../mrkdwn/date.ts'
import type { Node } from '../mrkdwn/parse.ts'
import type { Person, Workspace } from '../workspace.ts'

/** Converts parsed mrkdwn for the page, with names and dates written out for the viewer. */
export function shownNodes(workspace: Workspace, viewer: Person, nodes: readonly Node[]): readonly Json[] {
  return nodes.map((node) => shownNode(workspace, viewer, node))
}

function shownNode(workspace: Workspace, viewer: Person, node: Node): Json {
  switch (node.kind) {
    case 'text':
    case 'emoji':
      return node
    case 'bold':
    case 'italic':
    case 'strike':
    case 'quote':
    case 'code':
    case 'pre':
      return { kind: node.kind, nodes: shownNodes(workspace, viewer, node.nodes) }
    case 'user':
      return mention(`@${workspace.people.get(node.id)?.name ?? node.id}`, node.id === viewer.id)
    case 'channel':
      return mention(`#${workspace.channels.get(node.id)?.name ?? node.label ?? node.id}`, false)
    case 'usergroup': {
      const group = workspace.usergroups.get(node.id)
      return mention(`@${group?.handle ?? node.id}`, group?.users.includes(viewer.id) ?? false)
    }
    case 'broadcast':
      return mention(`@${node.range}`, true)
    case 'date': {
      const text = writeDate(node.unix, node.format, viewer.tz, workspace.settings.clock.now(), viewer.locale)
      return node.url === undefined ? { kind: 'time', text } : { kind: 'link', url: node.url, text }
    }
    case 'link':
      return { kind: 'link', url: node.url, text: node.label ?? node.url }
    case 'unknown':
      return { kind: 'text', text: `<${node.inner}>` }
  }
}

function mention(text: string, me: boolean): Json {
  return { kind: 'mention', text, me }
}
