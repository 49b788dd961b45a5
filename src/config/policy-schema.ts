import * as z from 'zod'
import type { Member } from '../domain/policy.ts'

const forms = {
  project: 'Write 1 to 32 small letters, digits or hyphens, for example "default".',
  variable: 'Write the name of an environment variable, for example PLATFORM_API_KEY, never its value.',
  channel: 'Write a channel id such as C0123ABCD (Slack shows it at the end of the channel details), or "*" for all.',
  channels: 'Write a list of channel ids, or channels: ["*"] for every channel.',
  operationsChannel: 'Write one channel id such as C0123ABCD.',
  member: 'Write everyone, user:U…, group:S… or channel:C… (an id, without a space after the colon).',
  members: 'Write a list, for example [everyone] or [group:S0123ABCD]; [] is nobody.',
  roles: 'Write roles: with lists for viewer, operator, approver and admin; a list left out is nobody.',
  projects: 'Write projects: with at least one project.',
  entry: 'Write a project with name, base_url_env, api_key_env, channels and roles.',
  reach: 'A channel gives viewer or operator only. Name approvers and admins with user:U… or group:S….',
}

const kinds = { U: 'user', W: 'user', S: 'group', C: 'channel', G: 'channel' } as const

const member = z.string({ error: shown(forms.member) }).transform((text, context): Member => {
  if (text === 'everyone') return { kind: 'everyone' }
  const [, kind, id] = /^(user|group|channel):([A-Z0-9]{2,32})$/.exec(text) ?? []
  const meant = kindOf(id ?? text)
  if (id !== undefined && meant !== undefined && meant === kind) return { kind: meant, id }
  const hint = meant ? ` Did you mean ${meant}:${id ?? text}?` : ''
  context.addIssue({ code: 'custom', message: `is ${JSON.stringify(text)}. ${forms.member}${hint}` })
  return z.NEVER
})

const person = member.refine((given) => given.kind !== 'channel', { error: `is a channel. ${forms.reach}` })
const members = z.array(member, { error: shown(forms.members) }).default([])
const people = z.array(person, { error: shown(forms.members) }).default([])
const variable = z
  .string({ error: unshown(forms.variable) })
  .regex(/^[A-Z_][A-Z0-9_]*$/, { error: unshown(forms.variable) })
const channelId = /^[CGD][A-Z0-9]{1,31}$/

const project = z.strictObject(
  {
    name: z.string({ error: shown(forms.project) }).regex(/^[a-z0-9-]{1,32}$/, { error: shown(forms.project) }),
    base_url_env: variable,
    api_key_env: variable,
    channels: z
      .array(
        z
          .string({ error: shown(forms.channel) })
          .refine((id) => id === '*' || channelId.test(id), { error: shown(forms.channel) }),
        { error: shown(forms.channels) },
      )
      .min(1, { error: shown(forms.channels) }),
    roles: z.strictObject(
      { viewer: members, operator: members, approver: people, admin: people },
      { error: shown(forms.roles) },
    ),
  },
  { error: shown(forms.entry) },
)

/** The shape of `lamplighter.yaml`. Every issue's message goes on from the place it is about: "is missing. Write …". */
export const policySchema = z.strictObject(
  {
    operations_channel: z
      .string({ error: shown(forms.operationsChannel) })
      .regex(/^[CG][A-Z0-9]{1,31}$/, { error: shown(forms.operationsChannel) })
      .optional(),
    projects: z.array(project, { error: shown(forms.projects) }).min(1, { error: shown(forms.projects) }),
  },
  { error: shown(forms.projects) },
)

/** The keys that may stand at a path of the file: what an unknown one is compared with. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(policySchema.shape)
  return Object.keys(path.at(-1) === 'roles' ? project.shape.roles.shape : project.shape)
}

type Issue = { readonly code?: string | undefined; readonly input?: unknown }

function shown(form: string): (issue: Issue) => string | undefined {
  return ({ code, input }) =>
    code === 'unrecognized_keys' ? undefined : `${missing(input) ?? `is ${quoted(input)}.`} ${form}`
}

/** For values that might be a secret in the wrong place. */
function unshown(form: string): (issue: Issue) => string {
  return ({ input }) => `${missing(input) ?? 'is not that.'} ${form}`
}

function missing(input: unknown): string | undefined {
  return input === undefined || input === null ? 'is missing.' : undefined
}

function quoted(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(input.slice(0, 60))
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list'
  return typeof input === 'object' ? 'a group of keys' : JSON.stringify(input)
}

function kindOf(id: string): 'user' | 'group' | 'channel' | undefined {
  const letter = /^[A-Z0-9]{2,32}$/.test(id) ? id.charAt(0) : ''
  return letter === 'U' || letter === 'W' || letter === 'S' || letter === 'C' || letter === 'G'
    ? kinds[letter]
    : undefined
}
