import type { Json } from '../json.ts'
import { menuOption, optionGroup } from './composition.ts'
import { exactlyOne, list, object } from './shape.ts'

const answer = object(
  {},
  { options: list(menuOption, 100, 0), option_groups: list(optionGroup, 100, 0) },
  exactlyOne('options', 'option_groups'),
)

/** Returns what is wrong with the app's answer to a type-ahead. */
export function checkSuggestions(given: Json): readonly string[] {
  return answer(given, '')
}
