import type { ActionsBlock, Button, Overflow, SectionBlock, StaticSelect } from '@slack/types'
import type { Mark, Offer } from '../../../core/model/query-answer.ts'
import { idOf, type Language, say } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'
import { plain, row } from './blocks.ts'
import { inUtc, longestText, truncate } from './text.ts'

/** Slack's limits (docs.slack.dev/reference/block-kit). */
const most = {
  button: 75,
  value: 2_000,
  option: 150,
  options: 5,
  dialog: { title: 100, text: 300, button: 30 },
} as const

export function button(label: string, action: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: plain(label, most.button),
    action_id: action,
    value: value.slice(0, most.value),
    ...(style && { style }),
  }
}

export function confirmed(one: Button, title: string, text: string, yes: string, no: string): Button {
  const { dialog } = most
  return {
    ...one,
    confirm: {
      title: plain(title || '–', dialog.title),
      text: plain(text || '–', dialog.text),
      confirm: plain(yes, dialog.button),
      deny: plain(no, dialog.button),
      style: 'danger',
    },
  }
}

/** Makes a ⋯ menu. A value that is too long is left out, because a cut line could do something else. */
export function overflow(behind: readonly Button[]): Overflow | undefined {
  const options = optionsFor(behind).slice(0, most.options)
  return options.length === 0 ? undefined : { type: 'overflow', action_id: 'more:0', options }
}

export function chooser(
  label: string,
  groups: readonly { readonly label: string; readonly behind: readonly Button[] }[],
): StaticSelect {
  const shown = groups
    .map((group) => ({ label: plain(group.label, most.button), options: optionsFor(group.behind) }))
    .filter(({ options }) => options.length > 0)
  const placeholder = plain(label, most.option)
  return { type: 'static_select', action_id: 'more:choose', placeholder, option_groups: shown }
}

function optionsFor(behind: readonly Button[]) {
  return behind
    .map(({ text, action_id: id, value = '' }) => ({ text, value: `${id} ${value}` }))
    .filter(({ value }) => value.length <= most.option)
}

export function behindOption(value: string): { readonly id: string; readonly value: string } {
  const [id = '', ...words] = value.split(' ')
  return { id, value: words.join(' ') }
}

export function buttons(...elements: readonly (Button | Overflow | StaticSelect)[]): ActionsBlock {
  return { type: 'actions', elements: [...elements] }
}

export function offered(offers: readonly Offer[], language: Language): readonly ActionsBlock[] {
  const few = offers.slice(0, 10).map((offer, at) => offerButton(offer, at, language))
  return few.length === 0 ? [] : [buttons(...few)]
}

export function offerButton({ label, line, opens, last }: Offer, at: number, language: Language): Button {
  const text = asText(label, language)
  const isSaid = opens !== 'form' || idOf(label) === 'form.open'
  return button(
    isSaid ? text : opening(text),
    `${opens ?? 'line'}:${at}${last === undefined ? '' : last ? ':last' : ':listed'}`,
    line,
  )
}

/** Adds an ellipsis to the label of a button that opens a form. */
export function opening(label: string): string {
  return `${label.replace(/…$/, '')}…`
}

export function offersMenu(offers: readonly Offer[], language: Language): Overflow | undefined {
  return overflow(offers.map((offer, at) => offerButton(offer, at, language)))
}

/** Makes a button that opens the form of a line's command, filled in with the values of the line. */
export function formButton(line: string, language: Language): Button {
  return button(asText(say('form.open'), language), 'form:0', line)
}

const emoji: Readonly<Record<Mark, string>> = {
  running: '🟢',
  stopped: '⚪',
  changing: '🟠',
  failed: '🔴',
  attention: '⚠️',
  idle: '💤',
  done: '✅',
  no: '❌',
  nothing: '🚫',
}

export function marked(mark: Mark | undefined, text: string): string {
  return mark === undefined ? text : `${emoji[mark]} ${text}`
}

/** Characters that Slack's markup leaves alone. A row with any other character is sent as plain text. */
const harmless = /^[\p{L}\p{N}\p{M}\p{Sc} \n._\-–(),;·…%/:+~?“”’]*$/u
/** Sequences of those characters that Slack would read as a format or an emoji. */
const read = /(^|[^\p{L}\p{N}])[_~]|[_~]([^\p{L}\p{N}]|$)|:[\w+-]*[a-z][\w+-]*:|:(\d+|[+-]1):/imu

/** Only a section can have a button beside it, and a section needs markup for a bold name. */
export function nameRow(
  name: string,
  mark: Mark | undefined,
  lines: readonly string[],
  beside?: Button | Overflow,
  room: number = longestText,
): SectionBlock {
  const [title, ...below] = [name, ...lines.filter((line) => line !== '')].map((line) => inUtc(line).trim())
  const isPlain = [title, ...below].some((line = '') => !harmless.test(line) || read.test(line))
  if (!title || isPlain) return row([marked(mark, name), ...lines], beside, room)
  const told = truncate(below.join('\n'), Math.floor(room / 2))
  return {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: marked(mark, `*${truncate(title, Math.floor(room / 2))}*\n${told}`.trim()),
      verbatim: true,
    },
    ...(beside && { accessory: beside }),
  }
}
