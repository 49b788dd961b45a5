import type { InputBlock, PlainTextOption } from '@slack/types'
import type { Field } from '../../../core/commands/fields.ts'
import { longestLine } from '../../../core/commands/parse.ts'
import type { FieldValues, Value } from '../../../core/model/request.ts'
import { plain } from '../kit/blocks.ts'

/** Ids of blocks that are not fields. No field's name has a colon. */
export const clearingId = ':clear'
export const placeId = ':place'
export const endpointAction = 'endpoint'

const max = { option: 75, value: 150, hint: 2_000, typed: 3_000 } as const

/** One option of a menu. `value` is never cut, since a cut one could choose something else. */
export function option(text: string, value: string, about?: string): PlainTextOption {
  return {
    text: plain(text === '' ? '–' : text, max.option),
    value,
    ...(about !== undefined && about !== '' && { description: plain(about, max.option) }),
  }
}

/** A field's input; its name is the block id. `called`: the name of a value that is an id; `wrong`: its mistake. */
export function inputFor(
  name: string,
  field: Field,
  value: Value | undefined,
  { called, wrong = '' }: { readonly called?: string | undefined; readonly wrong?: string | undefined } = {},
): InputBlock {
  const hint = [wrong && inForm(wrong), hintOf(field)].filter((part) => part !== '').join(' ')
  return input(name, field.label, hint, elementFor(field, value ?? undefined, called), field.optional === true)
}

function input(id: string, label: string, hint: string, element: InputBlock['element'], optional: boolean): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label, max.hint),
    optional,
    ...(hint !== '' && { hint: plain(hint, max.hint) }),
    element,
  }
}

/** A sentence without its example line, which nobody types in a form. */
export function inForm(says: string): string {
  return says.replace(/, for example: .*$/, '.')
}

function elementFor(field: Field, value: string | number | undefined, called?: string): InputBlock['element'] {
  const given = value === undefined ? '' : String(value)
  const initial = given !== '' && { initial_value: given }
  switch (field.kind) {
    case 'endpoint':
      return {
        type: 'external_select',
        action_id: endpointAction,
        min_query_length: 0,
        placeholder: plain('Type a name', max.option),
        ...(given.trim() !== '' && given.length <= max.value && { initial_option: option(called ?? given, given) }),
      }
    case 'number': {
      const [low, high] = field.range ?? []
      return {
        type: 'number_input',
        action_id: 'value',
        is_decimal_allowed: false,
        ...(low !== undefined && { min_value: String(low) }),
        ...(high !== undefined && { max_value: String(high) }),
        ...initial,
      }
    }
    case 'choice': {
      const options = (field.of ?? []).map((one) => option(one, one))
      const chosen = options.find((one) => one.value === given)
      return { type: 'static_select', action_id: 'value', options, ...(chosen && { initial_option: chosen }) }
    }
    case 'person':
      return {
        type: 'users_select',
        action_id: 'value',
        placeholder: plain('Choose somebody', max.option),
        ...(given.startsWith('@') && { initial_user: given.slice(1) }),
      }
    case 'secrets':
      return { type: 'plain_text_input', action_id: 'value', multiline: true, max_length: max.typed }
    default:
      return {
        type: 'plain_text_input',
        action_id: 'value',
        max_length: field.most ?? longestLine,
        ...(field.kind in examples && { placeholder: plain(exampleOf(field), max.option) }),
        ...initial,
      }
  }
}

const examples: Readonly<Partial<Record<Field['kind'], string>>> = {
  window: 'Days and times of the day: weekdays 09:00-20:00, sat-sun, or daily 22:00-06:00.',
  zone: 'Left empty it is the zone of the team, else your own.',
  when: 'A time such as 19:00, tomorrow 09:00 or fri 18:00, by your own clock; or a length such as 90m, 4h or 2d.',
}

/** "weekdays 09:00-20:00" or "10m", taken from the usage line. */
function exampleOf({ hint, lead = '', key = '' }: Field): string {
  return hint.replaceAll(/[[\]<>]/g, '').replace(new RegExp(`^(${lead} |${key}=)`), '')
}

function hintOf({ kind, range, clearable, example = examples[kind] }: Field): string {
  const hints = [
    kind === 'number' && range !== undefined ? `A whole number from ${range[0]} to ${range[1]}.` : '',
    kind === 'secrets'
      ? 'One a line: KEY=value. They replace all there are; values are sealed and shown to nobody.'
      : '',
    clearable === true ? 'Leave empty to keep it.' : '',
    example ?? '',
  ]
  return hints.filter((hint) => hint !== '').join(' ')
}

/** A menu of the settings that can be removed, since an empty field keeps its setting. */
export function clearingInput(
  fields: readonly (readonly [string, Field])[],
  values: FieldValues,
): readonly InputBlock[] {
  const options = fields.filter(([, { clearable }]) => clearable).map(([name, { label }]) => option(label, name))
  if (options.length === 0) return []
  const chosen = options.filter(({ value }) => value !== undefined && values[value] === null)
  const menu: InputBlock['element'] = {
    type: 'multi_static_select',
    action_id: 'value',
    options,
    ...(chosen.length > 0 && { initial_options: chosen }),
  }
  return [input(clearingId, 'Take away', 'Settings that the endpoint shall no longer have.', menu, true)]
}

/** The channel of the card, if the form was opened outside channels. It gives no role (`Place.chosen`). */
export function placeInput(): InputBlock {
  const menu: InputBlock['element'] = {
    type: 'conversations_select',
    action_id: 'value',
    default_to_current_conversation: true,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
  }
  return input(placeId, 'Channel', 'The card and its questions go there.', menu, false)
}
