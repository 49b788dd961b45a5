import {
  anyAddress,
  dispatchConfig,
  id,
  imageSource,
  overflowOption,
  plainText,
  slackFile,
  webAddress,
} from './composition.ts'
import { common, element, type Fields, ids, style, typed, withPlaceholder } from './element.ts'
import { pickers } from './pickers.ts'
import { anything, flag, integer, list, matching, text } from './shape.ts'

const decimal = matching(/^-?\d+(\.\d+)?$/, 'must be a number')

export const image = element(
  'image',
  { alt_text: text(2000) },
  { image_url: webAddress, slack_file: slackFile },
  imageSource,
)

const button = element(
  'button',
  { text: plainText(75) },
  { ...common, value: text(2000), url: anyAddress, style, accessibility_label: text(75) },
)

const overflow = element('overflow', { options: list(overflowOption, 5) }, common)

const richTextInput = typed('rich_text_input', {
  initial_value: anything,
  min_lines: integer(1, 100),
  max_lines: integer(1, 100),
})

const numberInput = element(
  'number_input',
  { is_decimal_allowed: flag },
  {
    ...withPlaceholder,
    initial_value: decimal,
    min_value: decimal,
    max_value: decimal,
    dispatch_action_config: dispatchConfig,
  },
)

export const inSections: Fields = { button, overflow, image, ...pickers }

export const inActions: Fields = {
  button,
  overflow,
  rich_text_input: richTextInput,
  ...pickers,
}

export const inInputs: Fields = {
  plain_text_input: typed('plain_text_input', {
    multiline: flag,
    min_length: integer(0, 3000),
    max_length: integer(1, 3000),
  }),
  email_text_input: typed('email_text_input'),
  url_text_input: typed('url_text_input'),
  number_input: numberInput,
  rich_text_input: richTextInput,
  file_input: element('file_input', {}, { ...common, filetypes: list(text(20), 100), max_files: integer(1, 10) }),
  ...pickers,
}

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
