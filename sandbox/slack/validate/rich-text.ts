import { anyAddress } from './composition.ts'
import { anything, byType, type Check, flag, integer, list, object, oneOf, text } from './shape.ts'

const style = object(
  {},
  {
    bold: flag,
    italic: flag,
    strike: flag,
    code: flag,
    underline: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  },
)

function element(
  type: string,
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  return object({ type: oneOf(type), ...required }, { style, ...optional })
}

const elements: Readonly<Record<string, Check>> = {
  text: element('text', { text: text(40_000) }),
  link: element('link', { url: anyAddress }, { text: text(3000), unsafe: flag }),
  user: element('user', { user_id: text(255) }),
  usergroup: element('usergroup', { usergroup_id: text(255) }),
  channel: element('channel', { channel_id: text(255) }),
  team: element('team', { team_id: text(255) }),
  broadcast: element('broadcast', { range: oneOf('here', 'channel', 'everyone') }),
  emoji: element('emoji', { name: text(255) }, { unicode: text(255), url: text(3000), skin_tone: integer(1, 6) }),
  date: element(
    'date',
    { timestamp: integer(0, 99_999_999_999), format: text(3000) },
    { url: anyAddress, fallback: text(3000) },
  ),
  color: element('color', { value: text(7) }),
}

const inner = list(byType(elements), 1000, 0)
const border = { border: oneOf(0, 1) }
const section = object({ type: oneOf('rich_text_section'), elements: inner })

const parts: Readonly<Record<string, Check>> = {
  rich_text_section: section,
  rich_text_list: object(
    { type: oneOf('rich_text_list'), style: oneOf('bullet', 'ordered'), elements: list(section, 1000) },
    { indent: integer(0, 8), offset: integer(0, 10_000), ...border },
  ),
  rich_text_preformatted: object(
    { type: oneOf('rich_text_preformatted'), elements: inner },
    { ...border, language: anything },
  ),
  rich_text_quote: object({ type: oneOf('rich_text_quote'), elements: inner }, border),
}

export const richText = object(
  { type: oneOf('rich_text'), elements: list(byType(parts), 1000, 0) },
  { block_id: text(255) },
)
