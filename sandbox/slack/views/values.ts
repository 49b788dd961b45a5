import { elementsOf } from '../elements.ts'
import { type Json, type JsonObject, textAt } from '../json.ts'
import type { Values } from './view.ts'

/** The keys under which each kind of element has its value and its initial value. Buttons have no value. */
const shapes: Readonly<Record<string, readonly [value: string, initial: string]>> = {
  plain_text_input: ['value', 'initial_value'],
  email_text_input: ['value', 'initial_value'],
  url_text_input: ['value', 'initial_value'],
  number_input: ['value', 'initial_value'],
  rich_text_input: ['rich_text_value', 'initial_value'],
  static_select: ['selected_option', 'initial_option'],
  external_select: ['selected_option', 'initial_option'],
  radio_buttons: ['selected_option', 'initial_option'],
  checkboxes: ['selected_options', 'initial_options'],
  multi_static_select: ['selected_options', 'initial_options'],
  multi_external_select: ['selected_options', 'initial_options'],
  users_select: ['selected_user', 'initial_user'],
  multi_users_select: ['selected_users', 'initial_users'],
  channels_select: ['selected_channel', 'initial_channel'],
  multi_channels_select: ['selected_channels', 'initial_channels'],
  conversations_select: ['selected_conversation', 'initial_conversation'],
  multi_conversations_select: ['selected_conversations', 'initial_conversations'],
  datepicker: ['selected_date', 'initial_date'],
  timepicker: ['selected_time', 'initial_time'],
  datetimepicker: ['selected_date_time', 'initial_date_time'],
  file_input: ['files', 'initial_files'],
  /** It reports the chosen option but keeps no value. */
  overflow: ['selected_option', ''],
}

/** Returns `state.values` before anybody has touched anything. */
export function initialValues(blocks: readonly JsonObject[]): Values {
  const values: Record<string, Record<string, JsonObject>> = {}
  for (const { block, element } of elementsOf(blocks)) {
    const shape = shapes[textAt(element, 'type') ?? '']
    if (!shape || shape[1] === '') continue
    const blockId = textAt(block, 'block_id') ?? ''
    values[blockId] = {
      ...values[blockId],
      [textAt(element, 'action_id') ?? '']: chosenValue(element, element[shape[1]]),
    }
  }
  return values
}

/** Returns an element's value in Slack's shape; no choice is null, or an empty list if several are allowed. */
export function chosenValue(element: JsonObject, chosen: Json | undefined): JsonObject {
  const type = textAt(element, 'type') ?? ''
  const key = shapes[type]?.[0] ?? 'value'
  const nothing = key.endsWith('s') ? [] : null
  return { type, [key]: chosen ?? nothing }
}

export function isEmpty(value: JsonObject): boolean {
  const { type: _, ...rest } = value
  return Object.values(rest).every(
    (one) => one === null || one === undefined || one === '' || (Array.isArray(one) && one.length === 0),
  )
}
