import { choiceOption, distinctValues, menuOption, optionGroup, optionsOrGroups } from './composition.ts'
import { common, element, type Fields, ids, withPlaceholder } from './element.ts'
import { flag, integer, list, matching, object, oneOf, text } from './shape.ts'

const many: Fields = { ...withPlaceholder, max_selected_items: integer(1, 100) }
const menu: Fields = { options: list(menuOption, 100), option_groups: list(optionGroup, 100) }
const external: Fields = { min_query_length: integer(0, 3000) }
const options = list(menuOption, 100)
const choices = list(choiceOption, 10)
const date = matching(/^\d{4}-\d{2}-\d{2}$/, 'must be a date as YYYY-MM-DD')
const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:mm')
const second = integer(1_000_000_000, 9_999_999_999)

const filter = object(
  {},
  {
    include: list(oneOf('im', 'mpim', 'private', 'public'), 4),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
)
const places: Fields = { default_to_current_conversation: flag, response_url_enabled: flag, filter }

/** Menus, pickers and choices, which may be in sections, actions and inputs. */
export const pickers: Fields = {
  ...one('static_select', { ...menu, initial_option: menuOption }, optionsOrGroups),
  ...one('external_select', { ...external, initial_option: menuOption }),
  ...one('users_select', { initial_user: text(255) }),
  ...one('conversations_select', { ...places, initial_conversation: text(255) }),
  ...one('channels_select', { response_url_enabled: flag, initial_channel: text(255) }),
  ...several('multi_static_select', { ...menu, initial_options: options }, optionsOrGroups),
  ...several('multi_external_select', { ...external, initial_options: options }),
  ...several('multi_users_select', { initial_users: ids }),
  ...several('multi_conversations_select', { ...places, initial_conversations: ids }),
  ...several('multi_channels_select', { initial_channels: ids }),
  ...one('datepicker', { initial_date: date }),
  ...one('timepicker', { initial_time: time, timezone: text(100) }),
  datetimepicker: element('datetimepicker', {}, { ...common, initial_date_time: second }),
  checkboxes: element('checkboxes', { options: choices }, { ...common, initial_options: choices }, distinctValues),
  radio_buttons: element(
    'radio_buttons',
    { options: choices },
    { ...common, initial_option: choiceOption },
    distinctValues,
  ),
}

function one(type: string, extra: Fields, rule?: Parameters<typeof object>[2]): Fields {
  return { [type]: element(type, {}, { ...withPlaceholder, ...extra }, rule) }
}

function several(type: string, extra: Fields, rule?: Parameters<typeof object>[2]): Fields {
  return { [type]: element(type, {}, { ...many, ...extra }, rule) }
}
