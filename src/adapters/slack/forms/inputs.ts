import type { InputBlock } from '@slack/types'
import type { Field } from '../../../core/commands/fields.ts'
import type { FieldValues, Value } from '../../../core/model/request.ts'
import { type Language, say } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'
import { plain } from '../kit/blocks.ts'
import { type Choosable, elementFor, hintOf, menuOf, option } from './elements.ts'

/** Ids of blocks that are not fields. No field's name has a colon. */
export const clearingId = ':clear'
export const placeId = ':place'

const longestHint = 2_000

/** What a form knows about a field besides its definition. */
export interface Known {
  /** The name to show for a value that is an id. */
  readonly called?: string | undefined
  readonly wrong?: string | undefined
  /** The current setting, for a field that begins empty. */
  readonly beside?: string
  readonly choices?: readonly Choosable[] | undefined
  /** Whether Slack reports a change of the input at once. */
  readonly told?: boolean
}

/** Draws a field's input. The field's name is the block id. */
export function inputFor(
  name: string,
  field: Field,
  value: Value | undefined,
  language: Language,
  { called, wrong = '', beside = '', choices, told = false }: Known = {},
): InputBlock {
  const given = value ?? undefined
  const hint = [wrong, beside, hintOf(field, given, language)].filter((part) => part !== '')
  const element =
    choices === undefined
      ? elementFor(field, given, language, called)
      : menuOf(choices, given === undefined ? '' : String(given), language)
  const block = input(name, asText(field.label, language), hint.join(' '), element, field.optional === true)
  return told ? { ...block, dispatch_action: true } : block
}

function input(id: string, label: string, hint: string, element: InputBlock['element'], optional: boolean): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label, longestHint),
    optional,
    ...(hint !== '' && { hint: plain(hint, longestHint) }),
    element,
  }
}

/** Draws a menu of the settings that can be cleared, because an empty field keeps its setting. */
export function clearingInput(
  fields: readonly (readonly [string, Field])[],
  values: FieldValues,
  language: Language,
): readonly InputBlock[] {
  const options = fields
    .filter(([, { clearable }]) => clearable)
    .map(([name, { label }]) => option(asText(label, language), name))
  if (options.length === 0) return []
  const chosen = options.filter(({ value }) => value !== undefined && values[value] === null)
  const menu: InputBlock['element'] = {
    type: 'multi_static_select',
    action_id: 'value',
    options,
    ...(chosen.length > 0 && { initial_options: chosen }),
  }
  return [input(clearingId, asText(say('form.clear'), language), asText(say('form.clearHint'), language), menu, true)]
}

/** Asks for the card's channel if the form was opened outside channels. It gives no role (`Place.chosen`). */
export function placeInput(language: Language): InputBlock {
  const menu: InputBlock['element'] = {
    type: 'conversations_select',
    action_id: 'value',
    default_to_current_conversation: true,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
  }
  return input(placeId, asText(say('form.channel'), language), asText(say('form.channelHint'), language), menu, false)
}
