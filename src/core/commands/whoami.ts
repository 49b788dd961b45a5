import type { OwnAccess, QueryAnswer } from '../model/answer.ts'
import { memberText, type Person, personNamed } from '../model/roles.ts'
import { say } from '../model/words.ts'
import { instant } from '../time/format.ts'
import { call } from './call.ts'
import { defineQuery } from './define.ts'

export const whoami = defineQuery({
  name: 'whoami',
  summary: 'Show whom the API key stands for, and what you may do here.',
  examples: ['whoami'],
  fields: {},
  call: () => call('get', '/me'),
  you: true,
  stranger: ({ user, standing, unread }) => {
    const why = `You have no role here. ${strangers[standing](memberText({ kind: 'user', id: user }))}`
    return unread && standing === 'full' ? [why, say('role.groupsUnread')] : why
  },
  show: ({ organization, project, key, user, via }, context) => ({
    title:
      context.role === null
        ? 'You have no role here'
        : `You are ${/^[aeiou]/.test(context.role) ? 'an' : 'a'} ${context.role} in project ${context.project}`,
    items: [
      ...(context.by === undefined ? [] : [{ text: 'The policy gives this role to', whom: [context.by] }]),
      ...(context.you === undefined ? [] : accessItems(context.you)),
      { text: `Organization ${organization}` },
      { text: `Platform project ${project}` },
      { text: `Key ${key ?? 'unknown'}, by ${via}${user === null ? '' : `, made by ${user}`}` },
    ],
  }),
})

const someone = 'An administrator can give you one in lamplighter.yaml, under roles'

/** Why a person has no role, by their membership. `as`: their name in the policy file. */
const strangers: Readonly<Record<Person['standing'], (as: string) => string>> = {
  full: (as) =>
    `You are a full member of this workspace, but the policy names neither you, nor a group of yours, nor this channel for any role. ${someone}: ${as}.`,
  guest: (as) =>
    `You are a guest of this workspace. Guests may look, and no more, where the policy names them one by one. ${someone}, viewer: ${as}.`,
  outside: () =>
    'Slack knows you as no member of this workspace: you belong to another one, are an app, or your account is deactivated. Only members of this workspace get a role; ask one of them.',
}

function accessItems({ absent, standIn, waiting, policy }: OwnAccess): QueryAnswer['items'] {
  return [
    { text: waits(waiting) },
    ...(absent.length === 0 ? [] : [{ text: 'You may approve in the place of', whom: absent.map(personNamed) }]),
    ...(standIn === null
      ? []
      : [
          {
            text: `Until ${instant(standIn.until)} your own approvals may be given by`,
            whom: [personNamed(standIn.to)],
          },
        ]),
    { text: policy === 'none' ? 'There is no policy file' : `Policy ${policy}` },
  ]
}

function waits(count: number): string {
  if (count === 0) return 'Nothing waits for your answer'
  return count === 1 ? '1 request waits for your answer' : `${count} requests wait for your answer`
}
