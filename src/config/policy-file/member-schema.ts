import type { Member } from '../../core/model/roles.ts'
import { group, listOf, readText } from './schema-words.ts'

const forms = {
  member: 'Write everyone, user:U…, group:S… or channel:C… (an id, without a space after the colon).',
  members: 'Write a list, for example [everyone] or [group:S0123ABCD]; [] is nobody.',
  roles: 'Write roles: with lists for viewer, operator, approver and admin; a list left out is nobody.',
  reach: 'A channel gives viewer or operator only. Name approvers and admins with user:U… or group:S….',
  approvers: 'Write a list of those who may approve, for example [group:S0123ABCD, user:U0123ABCD].',
  named: 'Who may approve is named with user:U… or group:S….',
}

const kinds = { U: 'user', W: 'user', S: 'group', C: 'channel', G: 'channel' } as const

const member = readText<Member>(
  forms.member,
  (text) => {
    if (text === 'everyone') return { value: { kind: 'everyone' } }
    const [, written, id] = /^(user|group|channel):([A-Z0-9]{2,32})$/.exec(text) ?? []
    const kind = kindOf(id ?? text)
    if (id !== undefined && kind !== undefined && kind === written) return { value: { kind, id } }
    return { wrong: kind ? `${forms.member} Did you mean ${kind}:${id ?? text}?` : forms.member }
  },
  '^(everyone|(user:[UW]|group:S|channel:[CG])[A-Z0-9]{1,31})$',
)

const person = member
  .refine((given) => given.kind !== 'channel', { error: `is a channel. ${forms.reach}` })
  .meta({ pattern: '^(everyone|(user:[UW]|group:S)[A-Z0-9]{1,31})$' })
const named = member
  .refine((given) => given.kind !== 'channel', { error: `is a channel. ${forms.named}` })
  .refine((given) => given.kind !== 'everyone', { error: `is everyone. ${forms.named}` })
  .meta({ pattern: '^(user:[UW]|group:S)[A-Z0-9]{1,31}$' })

/** People and groups who may approve: never a channel, never everyone. */
export const approvers = listOf(forms.approvers, named)

function roleOf(one: typeof member, may: string) {
  return listOf(forms.members, one).default([]).describe(`Who may ${may}. Left out or []: nobody.`)
}

export const rolesSchema = group(forms.roles, {
  viewer: roleOf(member, 'look. Members are everyone, user:U…, group:S… or channel:C…'),
  operator: roleOf(
    member,
    'read logs, ask for changes and confirm them. Members as for viewer; a channel has to be private',
  ),
  approver: roleOf(
    person,
    "approve what others asked for, and cancel others' requests. Members are user:U… or group:S…",
  ),
  admin: roleOf(person, 'pass an approval with a reason, and end a lockdown. Members are user:U… or group:S…'),
}).describe('Who has which role here. Each role includes the ones before it.')

function kindOf(id: string): (typeof kinds)[keyof typeof kinds] | undefined {
  return /^[UWSCG][A-Z0-9]{1,31}$/.test(id) ? kinds[id.charAt(0) as keyof typeof kinds] : undefined
}
