import type { Message } from '../../sandbox/slack/message.ts'
import type { Actor } from '../../sandbox/slack/people/actor.ts'

/** Where most stories look: in #ops. */
export const ops = { in: 'ops' } as const

/** Types a line of `/endpoint` in #ops and waits until the person sees this there. */
export async function asks(person: Actor, line: string, seen: string | RegExp): Promise<Message> {
  await person.types('ops', `/endpoint ${line}`)
  return person.sees(seen, ops)
}

/** Presses a button in #ops and waits until the person sees this there. */
export async function presses(person: Actor, label: string, seen: string | RegExp): Promise<Message> {
  await person.presses(label, ops)
  return person.sees(seen, ops)
}
