import { plainText } from '../flatten.ts'
import { type JsonObject, objectAt } from '../json.ts'
import type { Answer } from '../link.ts'
import type { Message } from '../message.ts'
import type { Slack } from '../slack.ts'
import type { View } from '../views/view.ts'
import type { Person } from '../workspace.ts'
import { choose, waitForField } from './choosing.ts'
import type { Seen, Where } from './elements.ts'
import { openHome, runShortcut } from './events.ts'
import { close, type Submitted, submit, waitForModal } from './modals.ts'
import { type Pressed, type PressOptions, press, pressRaw, waitForButton } from './pressing.ts'
import { suggest } from './suggesting.ts'
import { type TypingOptions, type } from './typing.ts'
import { type SeesOptions, waitToSee } from './waiting.ts'

/** One person at a keyboard. Every wait ends after 60 s of real time by default. */
export interface Actor {
  readonly id: string
  readonly name: string
  /** Types a line and sends it; resolves to what the app's answer showed privately ('' for nothing). */
  types(channel: string, line: string, options?: TypingOptions): Promise<string>
  /** Waits for a message that says this. */
  sees(wanted: string | RegExp, options?: SeesOptions): Promise<Message>
  /** Waits for a button with this label and presses it; accepts its dialog by default. */
  presses(label: string, options?: PressOptions): Promise<Pressed>
  /** Waits for a button and returns it as it is now, to be pressed later. */
  remembers(label: string, where?: Where): Promise<Seen>
  /** Presses a remembered button, with parts of the payload replaced. */
  pressesRaw(button: Seen, overrides?: JsonObject): Promise<Answer>
  /** Waits for a modal with this title. */
  opens(title: string, timeoutMs?: number): Promise<View>
  /** Fills in a field or chooses from a menu, by its label, placeholder or action id. */
  chooses(named: string, wanted: string | readonly string[], where?: Where): Promise<Answer['kind'] | 'filled'>
  /** Types into a type-ahead; resolves to the texts of the options that the app suggests. */
  suggests(named: string, typed: string, where?: Where): Promise<readonly string[]>
  submits(): Promise<Submitted>
  /** Closes the modal on top, or all of them. */
  closes(all?: boolean): Promise<void>
  /** Opens the app's Home; `workspace.homes` has what the app publishes. */
  opensHome(): Promise<void>
  runsShortcut(callbackId: string): Promise<Answer['kind']>
}

export function actorFor(slack: Slack, person: Person): Actor {
  const { workspace } = slack
  return {
    id: person.id,
    name: person.name,
    types: (channel, line, options) => type(slack, person, channel, line, options),
    sees: (wanted, options) => waitToSee(workspace, person, wanted, options),
    presses: (label, options) => press(slack, person, label, options),
    remembers: (label, where) => waitForButton(slack, person, label, where),
    pressesRaw: (button, overrides) => pressRaw(slack, person, button, overrides),
    opens: (title, timeoutMs) => waitForModal(slack, person, title, timeoutMs),
    chooses: (named, wanted, where) => choose(slack, person, named, wanted, where),
    async suggests(named, typed, where) {
      const options = await suggest(slack, person, await waitForField(slack, person, named, where), typed)
      return options.map((option) => plainText(workspace, objectAt(option, 'text')))
    },
    submits: () => submit(slack, person),
    closes: (all) => close(slack, person, all),
    opensHome: () => openHome(slack, person),
    runsShortcut: (callbackId) => runShortcut(slack, person, callbackId),
  }
}
