import { linesOf } from '../flatten.ts'
import type { Message } from '../message.ts'
import type { Person, Workspace } from '../workspace.ts'
import { channelNamed, visibleTo } from './places.ts'

export interface SeesOptions {
  /** Id or name of a channel. */
  readonly in?: string
  /** ms of real time; 30,000 if left out, which only ends a wait that hangs. */
  readonly timeoutMs?: number
}

/** Waits until this person can see a message with this text, in its blocks or its notification. */
export function waitToSee(
  workspace: Workspace,
  person: Person,
  wanted: string | RegExp,
  options: SeesOptions = {},
): Promise<Message> {
  const channel = options.in === undefined ? undefined : channelNamed(workspace, person, options.in).id
  return waitFor(
    workspace,
    () => visibleTo(workspace, person, channel).find((message) => says(workspace, message, wanted)),
    () =>
      `${person.name} never saw ${String(wanted)}. What ${person.name} sees, newest first:\n${seen(workspace, person, channel)}`,
    options.timeoutMs,
  )
}

/** Waits until `look` finds something; calls it whenever anything happens in the workspace. */
export function waitFor<Found>(
  workspace: Workspace,
  look: () => Found | undefined,
  complain: () => string,
  timeoutMs = 60_000,
): Promise<Found> {
  return new Promise((resolve, reject) => {
    const stopListening = workspace.news.onAny(check)
    const timer = setTimeout(() => {
      stopListening()
      reject(new Error(complain()))
    }, timeoutMs)
    function check(): void {
      const found = look()
      if (found === undefined) return
      stopListening()
      clearTimeout(timer)
      resolve(found)
    }
    check()
  })
}

/** Whether a message contains this, in its blocks as people read them or in its notification. */
function says(workspace: Workspace, message: Message, wanted: string | RegExp): boolean {
  const has = (text: string) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))
  return has(message.text) || has(linesOf(workspace, message).join('\n'))
}

/** Returns the newest few messages, for the text of a failure. */
export function seen(workspace: Workspace, person: Person, channel?: string): string {
  const lines = visibleTo(workspace, person, channel)
    .slice(0, 8)
    .map((message) => `- ${linesOf(workspace, message).join(' / ')}`)
  return lines.length > 0 ? lines.join('\n') : '(nothing)'
}
