import { type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { type Content, textNodes } from './message.ts'
import { plainMrkdwn, plainNodes } from './mrkdwn/plain.ts'
import { plainRichText } from './mrkdwn/rich.ts'
import { unescapeEntities } from './mrkdwn/tokens.ts'
import type { Workspace } from './workspace.ts'

/** Returns a message as lines of text: what its blocks show, or its text if it has none. */
export function linesOf(workspace: Workspace, content: Content, zone = 'UTC'): readonly string[] {
  const shown = content.blocks.flatMap((block) => blockLines(workspace, block, zone))
  return shown.length > 0 ? shown : plainNodes(workspace, textNodes(content), zone).split('\n')
}

/** Returns a block as lines of text. Buttons become `[Label]`, menus `[Placeholder ▾]`, a divider `---`. */
function blockLines(workspace: Workspace, block: JsonObject, zone: string): readonly string[] {
  const say = (text: JsonObject | undefined): string => plainText(workspace, text, zone)
  switch (block['type']) {
    case 'section': {
      const fields = objectsAt(block, 'fields').map(say)
      const accessory = objectAt(block, 'accessory')
      const text = objectAt(block, 'text') ? [say(objectAt(block, 'text'))] : []
      return [...text, ...fields, ...(accessory ? [elementText(accessory, say)] : [])].flatMap(split)
    }
    case 'header':
      return split(say(objectAt(block, 'text')))
    case 'context':
      return split(
        objectsAt(block, 'elements')
          .map((one) => elementText(one, say))
          .join(' '),
      )
    case 'actions':
      return [
        objectsAt(block, 'elements')
          .map((one) => elementText(one, say))
          .join(' '),
      ]
    case 'divider':
      return ['---']
    case 'image':
      return [`[image: ${textAt(block, 'alt_text') ?? ''}]`]
    case 'data_visualization':
      return [`[chart: ${textAt(block, 'title') ?? ''}]`]
    case 'input':
      return [say(objectAt(block, 'label')), elementText(objectAt(block, 'element') ?? {}, say)]
    case 'rich_text':
      return split(plainRichText(workspace, block, zone))
    default:
      return [`[${textAt(block, 'type') ?? ''}]`]
  }
}

function elementText(element: JsonObject, say: (text: JsonObject | undefined) => string): string {
  const type = textAt(element, 'type') ?? ''
  if (type === 'mrkdwn' || type === 'plain_text') return say(element)
  if (type === 'button') return `[${say(objectAt(element, 'text'))}]`
  if (type === 'image') return `[image: ${textAt(element, 'alt_text') ?? ''}]`
  if (type === 'overflow')
    return `[⋯ ${objectsAt(element, 'options')
      .map((o) => say(objectAt(o, 'text')))
      .join(' | ')}]`
  const chosen = objectAt(objectAt(element, 'initial_option'), 'text') ?? objectAt(element, 'placeholder')
  return `[${chosen ? say(chosen) : type} ▾]`
}

export function plainText(workspace: Workspace, text: JsonObject | undefined, zone = 'UTC'): string {
  const said = textAt(text, 'text') ?? ''
  // Slack decodes the three entities in plain text, too: https://github.com/slackapi/bolt-python/issues/513
  return textAt(text, 'type') === 'mrkdwn' ? plainMrkdwn(workspace, said, zone) : unescapeEntities(said)
}

function split(text: string): readonly string[] {
  return text.split('\n')
}
