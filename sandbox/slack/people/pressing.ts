import { plainText } from '../flatten.ts'
import { type JsonObject, objectAt } from '../json.ts'
import type { Answer } from '../link.ts'
import type { Slack } from '../slack.ts'
import type { Person } from '../workspace.ts'
import { sendAction } from './acting.ts'
import { findButton, type Seen, type Where } from './elements.ts'
import { seen, waitFor } from './waiting.ts'

export interface PressOptions extends Where {
  /** How to answer the button's dialog; true if left out. */
  readonly confirm?: boolean
  /** How long to wait for the button, ms of real time; 30,000 if left out. */
  readonly timeoutMs?: number
}

export interface Pressed {
  /** What the button's dialog asked, as `title: text`; undefined if it has none. */
  readonly asked: string | undefined
  /** `left` if the dialog was declined, so that nothing was sent. */
  readonly outcome: Answer['kind'] | 'left'
}

export async function press(slack: Slack, person: Person, label: string, options: PressOptions = {}): Promise<Pressed> {
  const button = await waitForButton(slack, person, label, options, options.timeoutMs)
  const dialog = objectAt(button.element, 'confirm')
  const say = (key: string): string => plainText(slack.workspace, objectAt(dialog, key))
  const asked = dialog && `${say('title')}: ${say('text')}`
  if (dialog && options.confirm === false) return { asked, outcome: 'left' }
  const answer = await pressRaw(slack, person, button)
  return { asked, outcome: answer.kind }
}

export function waitForButton(
  slack: Slack,
  person: Person,
  label: string,
  where: Where = {},
  timeoutMs?: number,
): Promise<Seen> {
  const { workspace } = slack
  return waitFor(
    workspace,
    () => findButton(workspace, person, label, where),
    () =>
      `${person.name} sees no button [${label}]. What ${person.name} sees, newest first:\n${seen(workspace, person)}`,
    timeoutMs,
  )
}

/** Presses a button as it was once seen. `overrides` replaces parts of the payload, to forge one. */
export function pressRaw(slack: Slack, person: Person, button: Seen, overrides: JsonObject = {}): Promise<Answer> {
  const { text, value, style, url, selected_option } = button.element
  const given = Object.entries({ text, value, style, url, selected_option }).filter(([, part]) => part !== undefined)
  return sendAction(slack, person, button, Object.fromEntries(given), overrides)
}
