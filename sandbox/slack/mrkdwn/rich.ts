import { type JsonObject, objectAt, objectsAt, textAt } from '../json.ts'
import type { Workspace } from '../workspace.ts'
import type { Node } from './parse.ts'
import { plainNodes } from './plain.ts'

const lineBreak: Node = { kind: 'text', text: '\n' }

/** Converts a `rich_text` block to the nodes of parsed mrkdwn; lists become lines with their marks. */
export function richTextNodes(block: JsonObject): readonly Node[] {
  const parts = objectsAt(block, 'elements')
  return parts.flatMap((part, at) => [
    ...(isInline(part) && isInline(parts[at - 1]) ? [lineBreak] : []),
    ...partNodes(part),
  ])
}

export function plainRichText(workspace: Workspace, block: JsonObject, zone: string): string {
  return plainNodes(workspace, richTextNodes(block), zone)
}

/** Fences and quotes begin a line of their own; the other parts need a line break between them. */
function isInline(part: JsonObject | undefined): boolean {
  return part?.['type'] === 'rich_text_section' || part?.['type'] === 'rich_text_list'
}

function partNodes(part: JsonObject): readonly Node[] {
  const inner = objectsAt(part, 'elements')
  switch (part['type']) {
    case 'rich_text_preformatted':
      return [{ kind: 'pre', nodes: inner.map(elementNode) }]
    case 'rich_text_quote':
      return [{ kind: 'quote', nodes: inner.map(elementNode) }]
    case 'rich_text_list':
      return inner.flatMap((item, at) => {
        const mark = part['style'] === 'ordered' ? `${at + 1}. ` : '• '
        const indent = '   '.repeat(typeof part['indent'] === 'number' ? part['indent'] : 0)
        return [{ kind: 'text', text: `${at > 0 ? '\n' : ''}${indent}${mark}` } as const, ...partNodes(item)]
      })
    default:
      return inner.map(elementNode)
  }
}

function elementNode(element: JsonObject): Node {
  const node = plainNode(element)
  const style = objectAt(element, 'style')
  if (style?.['code'] === true) return { kind: 'code', nodes: [node] }
  const bold: Node = style?.['bold'] === true ? { kind: 'bold', nodes: [node] } : node
  const italic: Node = style?.['italic'] === true ? { kind: 'italic', nodes: [bold] } : bold
  return style?.['strike'] === true ? { kind: 'strike', nodes: [italic] } : italic
}

function plainNode(element: JsonObject): Node {
  const id = (key: string): string => textAt(element, key) ?? ''
  switch (element['type']) {
    case 'user':
      return { kind: 'user', id: id('user_id') }
    case 'channel':
      return { kind: 'channel', id: id('channel_id'), label: undefined }
    case 'usergroup':
      return { kind: 'usergroup', id: id('usergroup_id'), label: undefined }
    case 'broadcast': {
      const range = id('range')
      return { kind: 'broadcast', range: range === 'here' || range === 'everyone' ? range : 'channel' }
    }
    case 'link':
      return { kind: 'link', url: id('url'), label: textAt(element, 'text') }
    case 'emoji':
      return { kind: 'emoji', name: id('name') }
    case 'date':
      return {
        kind: 'date',
        unix: typeof element['timestamp'] === 'number' ? element['timestamp'] : 0,
        format: id('format'),
        url: textAt(element, 'url'),
        fallback: id('fallback'),
      }
    default:
      return { kind: 'text', text: id('text') }
  }
}
