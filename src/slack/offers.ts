import type { ActionsBlock, Button } from '@slack/types'
import type { Offer } from '../domain/shown.ts'
import { button, buttons } from './blocks.ts'

/** Lines as buttons. Whoever presses one hands the line in as if typed, so it gives nobody more than they have. */
export function offered(offers: readonly Offer[]): readonly ActionsBlock[] {
  return offers.length === 0 ? [] : [buttons(...offers.slice(0, 10).map(offerButton))]
}

export function offerButton({ label, line }: Offer, at = 0): Button {
  return button(label, `line:${at}`, line)
}

/** Opens the form of a line's row, filled in as far as the line goes. */
export function formButton(line: string, label = 'Open the form', at = 0): Button {
  return button(label, `form:${at}`, line)
}
