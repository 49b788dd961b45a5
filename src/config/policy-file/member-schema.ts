import type { Member } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { group, like, listOf, packed, readText } from './schema-words.ts'

const kinds = { U: 'user', W: 'user', S: 'group', C: 'channel', G: 'channel' } as const

const member = readText<Member>(
  say('policyFile.member'),
  (text) => {
    if (text === 'everyone') return { value: { kind: 'everyone' } }
    const [, written, id] = /^(user|group|channel):([A-Z0-9]{2,32})$/.exec(text) ?? []
    const kind = kindOf(id ?? text)
    if (id !== undefined && kind !== undefined && kind === written) return { value: { kind, id } }
    const near = kind === undefined ? [] : [say('line.near', { near: `${kind}:${id ?? text}` })]
    return { wrong: [say('policyFile.member'), ...near] }
  },
  '^(everyone|(user:[UW]|group:S|channel:[CG])[A-Z0-9]{1,31})$',
)

const person = member
  .refine((given) => given.kind !== 'channel', { error: packed(say('policyFile.nobody', { what: 'channel' })) })
  .meta({ pattern: '^(everyone|(user:[UW]|group:S)[A-Z0-9]{1,31})$' })
const named = person
  .refine((given) => given.kind !== 'everyone', { error: packed(say('policyFile.nobody', { what: 'everyone' })) })
  .meta({ pattern: '^(user:[UW]|group:S)[A-Z0-9]{1,31}$' })

/** People and groups who may approve: never a channel, never everyone. */
export const approvers = listOf(like('[group:S0123ABCD, user:U0123ABCD]'), named)

function roleOf(one: typeof member, may: string) {
  return listOf(like('[everyone, group:S0123ABCD]'), one)
    .default([])
    .describe(`Who can ${may}. Left out or []: nobody.`)
}

export const rolesSchema = group(like('{ viewer: [everyone], admin: [user:U0123ABCD] }'), {
  viewer: roleOf(member, 'view. Members: everyone, user:U…, group:S… or channel:C…'),
  operator: roleOf(
    member,
    'read logs, request changes and confirm them. Members: as for viewer; a channel has to be private',
  ),
  approver: roleOf(person, 'approve and cancel requests of others. Members: user:U… or group:S…'),
  admin: roleOf(person, 'bypass an approval with a reason, and end a lockdown. Members: user:U… or group:S…'),
}).describe('Who has which role. Each role includes the ones before it.')

export const tokenMakers = listOf(like('[user:U0123ABCD]'), person).describe(
  'Who can make tokens that let programs read and propose in their name. Left out or []: nobody.',
)

export const workflowPeople = listOf(like('[group:S0123ABCD]'), person).describe(
  'In whose name the steps of workflows in Slack may propose. Left out or []: nobody.',
)

function kindOf(id: string): (typeof kinds)[keyof typeof kinds] | undefined {
  return /^[UWSCG][A-Z0-9]{1,31}$/.test(id) ? kinds[id.charAt(0) as keyof typeof kinds] : undefined
}
