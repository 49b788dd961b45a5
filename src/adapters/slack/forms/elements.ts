import type { InputBlock, PlainTextOption } from '@slack/types'
import { exampleName } from '../../../core/commands/examples.ts'
import type { Field } from '../../../core/commands/fields.ts'
import { longestLine } from '../../../core/commands/parse.ts'
import type { Value } from '../../../core/model/request.ts'
import { type Language, type Sentence, say, type Words } from '../../../core/model/words.ts'
import { absoluteIn } from '../../../core/time/format.ts'
import { asText } from '../../../core/words/render.ts'
import type { SentenceId } from '../../../words/english.ts'
import { plain } from '../kit/blocks.ts'

type Element = InputBlock['element']

export const endpointAction = 'endpoint'

const max = { option: 75, options: 100, value: 150, typed: 3_000 } as const

/** Makes a menu option. `value` is never cut, because a cut one could select something else. */
export function option(text: string, value: string, about?: string): PlainTextOption {
  return {
    text: plain(text === '' ? '–' : text, max.option),
    value,
    ...(about !== undefined && about !== '' && { description: plain(about, max.option) }),
  }
}

/** Returns a field's input element. `called`: the name to show for a value that is an id. */
export function elementFor(field: Field, value: Value | undefined, language: Language, called?: string): Element {
  const given = `${value ?? ''}`
  const says = (id: 'form.typeName' | 'form.choosePerson') => plain(asText(say(id), language), max.option)
  switch (field.kind) {
    case 'endpoint':
      return {
        type: 'external_select',
        action_id: endpointAction,
        min_query_length: 0,
        placeholder: says('form.typeName'),
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
        ...(given !== '' && { initial_value: given }),
      }
    }
    case 'choice':
      return choosing(field, given, language)
    case 'person':
      return {
        type: 'users_select',
        action_id: 'value',
        placeholder: says('form.choosePerson'),
        ...(given.startsWith('@') && { initial_user: given.slice(1) }),
      }
    case 'secrets':
      return { type: 'plain_text_input', action_id: 'value', multiline: true, max_length: max.typed }
    default:
      return isPicked(field, given) ? picker(given) : typing(field, given)
  }
}

/** Draws a menu, or a checkbox for one option. A required choice, or one with a default, starts with the first. */
function choosing({ of = [], label, optional, begins }: Field, given: string, language: Language): Element {
  const [, field] = label.say.split('.')
  const options = of.map((one) => option(asText(say(`option.${field}.${one}` as SentenceId), language), one))
  const chosen =
    options.find((one) => one.value === given) ?? (optional === true && begins !== true ? undefined : options[0])
  return of.length > 1
    ? selecting(options, chosen, language)
    : { type: 'checkboxes', action_id: 'value', options, ...(chosen && { initial_options: [chosen] }) }
}

export function menuOf(options: readonly PlainTextOption[], given: string, language: Language): Element {
  const shown = options.slice(0, max.options)
  const chosen = shown.find(({ value }) => value === given)
  return selecting(shown, chosen, language)
}

function selecting(options: PlainTextOption[], chosen: PlainTextOption | undefined, language: Language): Element {
  return {
    type: 'static_select',
    action_id: 'value',
    placeholder: plain(asText(say('form.choose'), language), max.option),
    options,
    ...(chosen && { initial_option: chosen }),
  }
}

/** Whether to draw a date picker. A typed value such as "fri 18:00" stays text. */
function isPicked({ moment }: Field, given: string): boolean {
  return moment === true && (given === '' || absoluteIn(given) !== null)
}

function picker(given: string): Element {
  const at = absoluteIn(given)
  return { type: 'datetimepicker', action_id: 'value', ...(at !== null && { initial_date_time: at / 1000 }) }
}

function typing(field: Field, given: string): Element {
  return {
    type: 'plain_text_input',
    action_id: 'value',
    max_length: field.most ?? longestLine,
    // People would take an example zone for the default.
    ...(field.kind in examples && field.kind !== 'zone' && { placeholder: plain(exampleOf(field), max.option) }),
    ...(field.kind === 'line' && { placeholder: plain(`stop ${exampleName}`, max.option) }),
    ...(given !== '' && { initial_value: given }),
  }
}

const examples: Readonly<Partial<Record<Field['kind'], Sentence>>> = {
  window: say('form.window'),
  zone: say('form.zone'),
  when: say('form.when'),
}

/** Takes an example such as "weekdays 09:00-20:00" or "10m" from the usage line. */
function exampleOf({ hint, lead = '', key = '' }: Field): string {
  return hint.replaceAll(/[[\]<>]/g, '').replace(new RegExp(`^(${lead} |${key}=)`), '')
}

/** Explains how to fill in a field, unless its element shows that. */
export function hintOf(field: Field, given: Value | undefined, language: Language): string {
  const { kind, range, example } = field
  const hints: readonly Words[] = [
    kind === 'number' && range !== undefined ? say('form.number', { low: range[0], high: range[1] }) : '',
    kind === 'secrets' ? say('form.secrets') : '',
    isPicked(field, `${given ?? ''}`) ? say('form.moment') : example === undefined ? (examples[kind] ?? '') : '',
    example ?? '',
  ]
  return asText(hints, language)
}
