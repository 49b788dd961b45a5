import type { Ids } from '../ids.ts'
import { isObject, type Json, type JsonObject, objectAt, objectsAt, textAt } from '../json.ts'
import { dataVisualization } from './charts.ts'
import { anyText, id, imageSource, plainText, slackFile, webAddress } from './composition.ts'
import { image, inActions, inContextActions, inInputs, inSections } from './elements.ts'
import { richText } from './rich-text.ts'
import { byType, type Check, flag, integer, list, object, oneOf, problem, text } from './shape.ts'

export type Surface = 'message' | 'modal' | 'home'

type Fields = Readonly<Record<string, Check>>

function block(type: string, required: Fields, optional: Fields = {}, rule?: Parameters<typeof object>[2]): Check {
  return object({ type: oneOf(type), ...required }, { block_id: id, ...optional }, rule)
}

function textOrFields(value: JsonObject, at: string): readonly string[] {
  return value['text'] === undefined && value['fields'] === undefined
    ? [problem('missing required field: text', at)]
    : []
}

/** Blocks that are allowed everywhere. */
const everywhere: Fields = {
  section: block(
    'section',
    {},
    { text: anyText(3000), fields: list(anyText(2000), 10), accessory: byType(inSections), expand: flag },
    textOrFields,
  ),
  header: block('header', { text: plainText(150) }, { level: integer(1, 4) }),
  divider: block('divider', {}),
  context: block('context', {
    elements: list(byType({ image, plain_text: anyText(3000), mrkdwn: anyText(3000) }), 10),
  }),
  actions: block('actions', { elements: list(byType(inActions), 25) }),
  image: block(
    'image',
    { alt_text: text(2000) },
    { title: plainText(2000), image_url: webAddress, slack_file: slackFile },
    imageSource,
  ),
  rich_text: richText,
  input: block(
    'input',
    { label: plainText(2000), element: byType(inInputs) },
    { hint: plainText(2000), optional: flag, dispatch_action: flag },
  ),
}

const bySurface: Readonly<Record<Surface, Check>> = {
  message: byType({
    ...everywhere,
    data_visualization: dataVisualization,
    context_actions: block('context_actions', { elements: list(byType(inContextActions), 5) }),
    file: block('file', { source: oneOf('remote'), external_id: id }),
  }),
  modal: byType({
    ...everywhere,
    alert: block('alert', { text: anyText(200) }, { level: oneOf('default', 'info', 'warning', 'error', 'success') }),
  }),
  home: byType(everywhere),
}

const mostBlocks: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 }

/** Returns what is wrong with the blocks of a message or a view, each with its place, in Slack's words. */
export function checkBlocks(blocks: readonly Json[], surface: Surface, at = '/blocks'): readonly string[] {
  const problems = list(bySurface[surface], mostBlocks[surface], surface === 'message' ? 0 : 1)(blocks, at)
  if (problems.length > 0) return problems
  return [
    ...repeatedBlockIds(blocks, at),
    ...blocks.flatMap((one, index) => repeatedActionIds(one, `${at}/${index}`)),
    ...tooManyCharts(blocks, at),
  ]
}

function repeatedBlockIds(blocks: readonly Json[], at: string): readonly string[] {
  const ids = blocks.flatMap((one) => (isObject(one) ? (textAt(one, 'block_id') ?? []) : []))
  return ids
    .filter((one, index) => ids.indexOf(one) !== index)
    .map((one) => problem(`\`block_id\` "${one}" already exists`, at))
}

function repeatedActionIds(one: Json, at: string): readonly string[] {
  const ids = isObject(one) ? objectsAt(one, 'elements').flatMap((element) => textAt(element, 'action_id') ?? []) : []
  return ids
    .filter((one, index) => ids.indexOf(one) !== index)
    .map((id) => problem(`\`action_id\` "${id}" already exists for block`, at))
}

function tooManyCharts(blocks: readonly Json[], at: string): readonly string[] {
  const charts = blocks.filter((one) => isObject(one) && one['type'] === 'data_visualization')
  return charts.length > 2 ? [problem('no more than 2 charts allowed', at)] : []
}

/** Gives every block and element without an id a made-up one, as Slack does. */
export function withIds(blocks: readonly JsonObject[], ids: Ids): readonly JsonObject[] {
  return blocks.map((one) => {
    const accessory = objectAt(one, 'accessory')
    const element = objectAt(one, 'element')
    return {
      ...one,
      block_id: textAt(one, 'block_id') ?? ids.next('b'),
      ...(accessory ? { accessory: withActionId(accessory, ids) } : {}),
      ...(element ? { element: withActionId(element, ids) } : {}),
      ...(one['type'] === 'actions'
        ? { elements: objectsAt(one, 'elements').map((each) => withActionId(each, ids)) }
        : {}),
    }
  })
}

function withActionId(element: JsonObject, ids: Ids): JsonObject {
  if (element['type'] === 'image') return element
  return { ...element, action_id: textAt(element, 'action_id') ?? ids.next('a') }
}
