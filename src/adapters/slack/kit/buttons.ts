import type { ActionsBlock, Button, Overflow, StaticSelect } from '@slack/types'
import type { Offer } from '../../../core/model/answer.ts'
import { idOf, type Language, say } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'
import { plain } from './blocks.ts'

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

/** The button with Slack's own dialog before it counts: what would be done, why it is asked, yes and no. */
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

/**
 * A ⋯ menu of what these buttons do. An option carries its button's id and value, so it needs no listener of its own. Slack
 * takes five options; one whose value is too long is left out, since a cut line could do something else.
 */
export function overflow(behind: readonly Button[]): Overflow | undefined {
  const options = optionsFor(behind).slice(0, most.options)
  return options.length === 0 ? undefined : { type: 'overflow', action_id: 'more:0', options }
}

/** A list of what these buttons do, for each of some things, of which one is chosen. */
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

export function offerButton({ label, line, opens }: Offer, at: number, language: Language): Button {
  const text = asText(label, language)
  const isSaid = opens !== 'form' || idOf(label) === 'form.open'
  return button(isSaid ? text : opening(text), `${opens ?? 'line'}:${at}`, line)
}

/** What is on a button that asks for more before anything is done. */
export function opening(label: string): string {
  return `${label.replace(/…$/, '')}…`
}

export function offersMenu(offers: readonly Offer[], language: Language): Overflow | undefined {
  return overflow(offers.map((offer, at) => offerButton(offer, at, language)))
}

/** Opens the form of a line's row, filled in as far as the line goes. */
export function formButton(line: string, language: Language): Button {
  return button(asText(say('form.open'), language), 'form:0', line)
}
