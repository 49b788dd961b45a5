import type { JsonObject } from '../json.ts'
import type { Answer } from '../link.ts'
import type { Message } from '../message.ts'
import type { Slack } from '../slack.ts'
import type { Person } from '../workspace.ts'
import { findButton, type SeenButton, type WhereButton } from './buttons.ts'
import { type Pressed, type PressOptions, press, pressRaw } from './pressing.ts'
import { type TypingOptions, type } from './typing.ts'
import { type SeesOptions, seen, waitFor, waitToSee } from './waiting.ts'

/** One person at a keyboard. */
export interface Actor {
  readonly id: string
  readonly name: string
  /** Types a line; see `type`. Resolves with what it showed privately. */
  types(channel: string, line: string, options?: TypingOptions): Promise<string>
  /** Waits for a message that says this. */
  sees(wanted: string | RegExp, options?: SeesOptions): Promise<Message>
  /** Waits for a button with this label and presses it; its dialog is accepted unless told otherwise. */
  presses(label: string, options?: PressOptions): Promise<Pressed>
  /** Waits for a button and remembers it as it is now, to be pressed later. */
  remembers(label: string, where?: WhereButton): Promise<SeenButton>
  /** Presses a remembered button, with parts of the payload replaced. */
  pressesRaw(button: SeenButton, overrides?: JsonObject): Promise<Answer>
}

export function actorFor(slack: Slack, person: Person): Actor {
  const { workspace } = slack
  return {
    id: person.id,
    name: person.name,
    types: (channel, line, options) => type(slack, person, channel, line, options),
    sees: (wanted, options) => waitToSee(workspace, person, wanted, options),
    presses: (label, options) => press(slack, person, label, options),
    remembers: (label, where) =>
      waitFor(
        workspace,
        () => findButton(workspace, person, label, where),
        () =>
          `${person.name} sees no button [${label}] to remember. What is there, newest first:\n${seen(workspace, person)}`,
      ),
    pressesRaw: (button, overrides) => pressRaw(slack, person, button, overrides),
  }
}
