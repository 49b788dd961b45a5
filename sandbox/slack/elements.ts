import { isObject, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'

/** Returns every interactive element of these blocks, with its block. */
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

/** Returns the options of a menu, including those of its groups. */
export function optionsOf(from: JsonObject): readonly JsonObject[] {
  return [
    ...objectsAt(from, 'options'),
    ...objectsAt(from, 'option_groups').flatMap((group) => objectsAt(group, 'options')),
  ]
}
