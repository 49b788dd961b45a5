import * as z from 'zod'
import type { Member } from '../../core/model/roles.ts'
import { shown } from './schema-words.ts'

const forms = {
  member: 'Write everyone, user:U…, group:S… or channel:C… (an id, without a space after the colon).',
  members: 'Write a list, for example [everyone] or [group:S0123ABCD]; [] is nobody.',
  roles: 'Write roles: with lists for viewer, operator, approver and admin; a list left out is nobody.',
  reach: 'A channel gives viewer or operator only. Name approvers and admins with user:U… or group:S….',
  approvers: 'Write a list of those who may approve, for example [group:S0123ABCD, user:U0123ABCD].',
  named: 'Who may approve is named with user:U… or group:S….',
}

const kinds = { U: 'user', W: 'user', S: 'group', C: 'channel', G: 'channel' } as const

const member = z
  .string({ error: shown(forms.member) })
  .meta({ pattern: '^(everyone|(user:[UW]|group:S|channel:[CG])[A-Z0-9]{1,31})$' })
  .transform((text, context): Member => {
    if (text === 'everyone') return { kind: 'everyone' }
    const [, kind, id] = /^(user|group|channel):([A-Z0-9]{2,32})$/.exec(text) ?? []
    const meant = kindOf(id ?? text)
    if (id !== undefined && meant !== undefined && meant === kind) return { kind: meant, id }
    const hint = meant ? ` Did you mean ${meant}:${id ?? text}?` : ''
    context.addIssue({ code: 'custom', message: `is ${JSON.stringify(text.slice(0, 60))}. ${forms.member}${hint}` })
    return z.NEVER
  })

const person = member
  .refine((given) => given.kind !== 'channel', { error: `is a channel. ${forms.reach}` })
  .meta({ pattern: '^(everyone|(user:[UW]|group:S)[A-Z0-9]{1,31})$' })
const named = member
  .refine((given) => given.kind !== 'channel', { error: `is a channel. ${forms.named}` })
  .refine((given) => given.kind !== 'everyone', { error: `is everyone. ${forms.named}` })
  .meta({ pattern: '^(user:[UW]|group:S)[A-Z0-9]{1,31}$' })

/** Those who may approve: never a place, and never everybody. */
export const approvers = z.array(named, { error: shown(forms.approvers) })

function roleOf(one: typeof member, may: string) {
  return z
    .array(one, { error: shown(forms.members) })
    .default([])
    .describe(`Who may ${may}. Left out or []: nobody.`)
}

/** Who has which role. Each includes the ones before it. */
export const rolesSchema = z
  .strictObject(
    {
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
    },
    { error: shown(forms.roles) },
  )
  .describe('Who has which role here. Each role includes the ones before it.')

function kindOf(id: string): 'user' | 'group' | 'channel' | undefined {
  const letter = /^[A-Z0-9]{2,32}$/.test(id) ? id.charAt(0) : ''
  return letter === 'U' || letter === 'W' || letter === 'S' || letter === 'C' || letter === 'G'
    ? kinds[letter]
    : undefined
}
