import { isObject, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'

/** Everything in these blocks that can be pressed, chosen or filled in, with the block it stands in. */
export function elementsOf(
  blocks: readonly JsonObject[],
): readonly { readonly block: JsonObject; readonly element: JsonObject }[] {
  return blocks.flatMap((block) => {
    const single = [objectAt(block, 'accessory'), objectAt(block, 'element')].filter(isObject)
    const several =
      block['type'] === 'actions' || block['type'] === 'context_actions' ? objectsAt(block, 'elements') : []
    const all = [...single, ...several].filter((one) => textAt(one, 'action_id') !== undefined)
    return all.map((element) => ({ block, element }))
  })
}

/** The options of a menu, those of its groups included. */
export function optionsOf(from: JsonObject): readonly JsonObject[] {
  return [
    ...objectsAt(from, 'options'),
    ...objectsAt(from, 'option_groups').flatMap((group) => objectsAt(group, 'options')),
  ]
}
