import type { JsonObject } from '../json.ts'
import { byType, type Check, exactlyOne, flag, list, matching, object, oneOf, problem, text } from './shape.ts'

/** Ids of blocks, actions and callbacks. */
export const id = text(255)
export const webAddress = matching(/^https?:\/\/\S{1,2990}$/, 'must be a valid URL')
/** What a link or button may open, which includes more than web pages. */
export const anyAddress = matching(/^[a-z][a-z0-9+.-]*:\S{1,2990}$/i, 'must be a valid URL')

export function plainText(max: number): Check {
  return object({ type: oneOf('plain_text'), text: text(max) }, { emoji: flag })
}

function mrkdwn(max: number): Check {
  return object({ type: oneOf('mrkdwn'), text: text(max) }, { verbatim: flag })
}

export function anyText(max: number): Check {
  return byType({ plain_text: plainText(max), mrkdwn: mrkdwn(max) })
}

export const confirmDialog = object(
  { text: anyText(300) },
  { title: plainText(100), confirm: plainText(30), deny: plainText(30), style: oneOf('primary', 'danger') },
)

function optionWith(label: Check, extra: Readonly<Record<string, Check>> = {}): Check {
  return object({ text: label, value: text(150) }, { description: anyText(75), ...extra })
}

/** An option of a menu: plain text only. */
export const menuOption = optionWith(plainText(75))
/** An option of radio buttons or checkboxes. */
export const choiceOption = optionWith(anyText(75))
export const overflowOption = optionWith(plainText(75), { url: anyAddress })

export const optionGroup = object({ label: plainText(75), options: list(menuOption, 100) })

/** `options` or `option_groups`, but not both. */
export const optionsOrGroups = exactlyOne('options', 'option_groups')

export const imageSource = exactlyOne('image_url', 'slack_file')
export const slackFile = object({}, { id: text(255), url: text(3000) }, exactlyOne('id', 'url'))

export const dispatchConfig = object(
  {},
  { trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), 2) },
)

/** No two options of one menu may have the same value. */
export function distinctValues(value: JsonObject, at: string): readonly string[] {
  const options = Array.isArray(value['options']) ? value['options'] : []
  const values = options.map((option: JsonObject) => option['value'])
  return new Set(values).size === values.length ? [] : [problem('option values must be distinct', at)]
}
