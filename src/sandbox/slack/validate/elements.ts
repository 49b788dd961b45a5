import {
  anyAddress,
  choiceOption,
  confirmDialog,
  dispatchConfig,
  distinctValues,
  id,
  imageSource,
  menuOption,
  optionGroup,
  optionsOrGroups,
  overflowOption,
  plainText,
  slackFile,
  webAddress,
} from './composition.ts'
import { anything, type Check, flag, integer, list, matching, object, oneOf, text } from './shape.ts'

type Fields = Readonly<Record<string, Check>>

/** What every element that can be pressed or filled in may have. */
const common: Fields = { action_id: id, confirm: confirmDialog, focus_on_load: flag }
const withPlaceholder: Fields = { ...common, placeholder: plainText(150) }
const many: Fields = { ...withPlaceholder, max_selected_items: integer(1, 100) }
const options = list(menuOption, 100)
const groups = list(optionGroup, 100)
const ids = list(text(255), 100)
const date = matching(/^\d{4}-\d{2}-\d{2}$/, 'must be a date as YYYY-MM-DD')
const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:mm')
const decimal = matching(/^-?\d+(\.\d+)?$/, 'must be a number')
const style = oneOf('primary', 'danger')

function element(type: string, required: Fields, optional: Fields, rule?: Parameters<typeof object>[2]): Check {
  return object({ type: oneOf(type), ...required }, optional, rule)
}

function typed(type: string, extra: Fields = {}): Check {
  return element(
    type,
    {},
    { ...withPlaceholder, initial_value: text(3000, 0), dispatch_action_config: dispatchConfig, ...extra },
  )
}

const conversationFilter = object(
  {},
  {
    include: list(oneOf('im', 'mpim', 'private', 'public'), 4),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
)
const conversations: Fields = {
  default_to_current_conversation: flag,
  response_url_enabled: flag,
  filter: conversationFilter,
}

export const image = element(
  'image',
  { alt_text: text(2000) },
  { image_url: webAddress, slack_file: slackFile },
  imageSource,
)

export const button = element(
  'button',
  { text: plainText(75) },
  { ...common, value: text(2000), url: anyAddress, style, accessibility_label: text(75) },
)

/** Menus, pickers and choices: they stand in sections, in actions and in inputs. */
const pickers: Fields = {
  static_select: element(
    'static_select',
    {},
    { ...withPlaceholder, options, option_groups: groups, initial_option: menuOption },
    optionsOrGroups,
  ),
  external_select: element(
    'external_select',
    {},
    { ...withPlaceholder, min_query_length: integer(0, 3000), initial_option: menuOption },
  ),
  users_select: element('users_select', {}, { ...withPlaceholder, initial_user: text(255) }),
  conversations_select: element(
    'conversations_select',
    {},
    { ...withPlaceholder, ...conversations, initial_conversation: text(255) },
  ),
  channels_select: element(
    'channels_select',
    {},
    { ...withPlaceholder, response_url_enabled: flag, initial_channel: text(255) },
  ),
  multi_static_select: element(
    'multi_static_select',
    {},
    { ...many, options, option_groups: groups, initial_options: list(menuOption, 100) },
    optionsOrGroups,
  ),
  multi_external_select: element(
    'multi_external_select',
    {},
    { ...many, min_query_length: integer(0, 3000), initial_options: list(menuOption, 100) },
  ),
  multi_users_select: element('multi_users_select', {}, { ...many, initial_users: ids }),
  multi_conversations_select: element(
    'multi_conversations_select',
    {},
    { ...many, ...conversations, initial_conversations: ids },
  ),
  multi_channels_select: element('multi_channels_select', {}, { ...many, initial_channels: ids }),
  checkboxes: element(
    'checkboxes',
    { options: list(choiceOption, 10) },
    { ...common, initial_options: list(choiceOption, 10) },
    distinctValues,
  ),
  radio_buttons: element(
    'radio_buttons',
    { options: list(choiceOption, 10) },
    { ...common, initial_option: choiceOption },
    distinctValues,
  ),
  datepicker: element('datepicker', {}, { ...withPlaceholder, initial_date: date }),
  timepicker: element('timepicker', {}, { ...withPlaceholder, initial_time: time, timezone: text(100) }),
  datetimepicker: element(
    'datetimepicker',
    {},
    { ...common, initial_date_time: integer(1_000_000_000, 9_999_999_999) },
  ),
}

/** Fields to type into. */
const inputs: Fields = {
  plain_text_input: typed('plain_text_input', {
    multiline: flag,
    min_length: integer(0, 3000),
    max_length: integer(1, 3000),
  }),
  email_text_input: typed('email_text_input'),
  url_text_input: typed('url_text_input'),
  number_input: element(
    'number_input',
    { is_decimal_allowed: flag },
    {
      ...withPlaceholder,
      initial_value: decimal,
      min_value: decimal,
      max_value: decimal,
      dispatch_action_config: dispatchConfig,
    },
  ),
  rich_text_input: typed('rich_text_input', {
    initial_value: anything,
    min_lines: integer(1, 100),
    max_lines: integer(1, 100),
  }),
  file_input: element('file_input', {}, { ...common, filetypes: list(text(20), 100), max_files: integer(1, 10) }),
}

const overflow = element('overflow', { options: list(overflowOption, 5) }, common)

const workflowButton = element(
  'workflow_button',
  { text: plainText(75), workflow: anything },
  { ...common, style, accessibility_label: text(75) },
)

export const inSections: Fields = { button, overflow, image, workflow_button: workflowButton, ...pickers }
export const inActions: Fields = {
  button,
  overflow,
  workflow_button: workflowButton,
  rich_text_input: inputs['rich_text_input'] ?? anything,
  ...pickers,
}
export const inInputs: Fields = { ...pickers, ...inputs }

export const inContextActions: Fields = {
  feedback_buttons: element(
    'feedback_buttons',
    { positive_button: anything, negative_button: anything },
    { action_id: id },
  ),
  icon_button: element(
    'icon_button',
    { icon: text(75), text: plainText(75) },
    { ...common, value: text(2000), accessibility_label: text(75), visible_to_user_ids: ids },
  ),
}
