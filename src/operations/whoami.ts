import type { Actor } from '../domain/actor.ts'
import { instant } from '../domain/instant.ts'
import type { Member } from '../domain/policy.ts'
import type { You } from '../domain/you.ts'
import { call } from './call.ts'
import { defineQuery } from './define.ts'

export const whoami = defineQuery({
  name: 'whoami',
  summary: 'Show whom the API key stands for, and what you may do here.',
  examples: ['whoami'],
  fields: {},
  call: () => call('get', '/me'),
  you: true,
  show: ({ organization, project, key, user, via }, context) => ({
    title:
      context.role === null
        ? 'You have no role here'
        : `You are ${article(context.role)} in project ${context.project}`,
    items: [
      ...(context.by === undefined ? [] : [{ text: 'The policy gives this role to', whom: [context.by] }]),
      ...(context.you === undefined ? [] : standing(context.you)),
      { text: `Organization ${organization}` },
      { text: `Platform project ${project}` },
      { text: `Key ${key ?? 'unknown'}, by ${via}${user === null ? '' : `, made by ${user}`}` },
    ],
  }),
})

function article(role: string): string {
  return `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`
}

/** What their role does not say. */
function standing({ absent, standIn, waiting, policy }: You): readonly { text: string; whom?: readonly Member[] }[] {
  return [
    { text: waits(waiting) },
    ...(absent.length === 0 ? [] : [{ text: 'You may approve in the place of', whom: absent.map(member) }]),
    ...(standIn === null
      ? []
      : [{ text: `Until ${instant(standIn.until)} your own approvals may be given by`, whom: [member(standIn.to)] }]),
    { text: policy === 'none' ? 'There is no policy file' : `Policy ${policy}` },
  ]
}

function waits(count: number): string {
  if (count === 0) return 'Nothing waits for your answer'
  return count === 1 ? '1 request waits for your answer' : `${count} requests wait for your answer`
}

function member({ user }: Actor): Member {
  return { kind: 'user', id: user }
}
