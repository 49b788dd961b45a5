import { expect } from 'vitest'
import type { Message } from '../../sandbox/slack/message.ts'
import type { Actor } from '../../sandbox/slack/people/actor.ts'
import type { Town } from './town.ts'

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

/** Changes the policy file and waits until the bot and the worker, or `processes` of them, have applied it. */
export async function policyApplied(town: Town, policy: string, processes = 2): Promise<void> {
  const times = () => town.log().split('applied the changed policy file').length - 1
  const before = times()
  await town.rules(policy)
  await expect.poll(times).toBe(before + processes)
}
