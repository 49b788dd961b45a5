import * as z from 'zod'
import { type Impact, requirements } from '../../core/model/policy.ts'
import type { Member } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import {
  countSchema,
  group,
  like,
  listOf,
  packed,
  readText,
  settings,
  shown,
  span,
  spanOrOff,
  textLike,
  wordSchema,
  yesOrNo,
} from './schema-words.ts'

const memberKinds = { U: 'user', W: 'user', S: 'group', C: 'channel', G: 'channel' } as const

const member = readText<Member>(
  say('policyFile.member'),
  (text) => {
    if (text === 'everyone') return { value: { kind: 'everyone' } }
    const [, written, id] = /^(user|group|channel):([A-Z0-9]{2,32})$/.exec(text) ?? []
    const bare = id ?? text
    const isId = /^[UWSCG][A-Z0-9]{1,31}$/.test(bare)
    const kind = isId ? memberKinds[bare.charAt(0) as keyof typeof memberKinds] : undefined
    if (id !== undefined && kind !== undefined && kind === written) return { value: { kind, id } }
    const near = kind === undefined ? [] : [say('line.near', { of: 'name', near: `${kind}:${bare}` })]
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
const approvers = listOf(like('[group:S0123ABCD, user:U0123ABCD]'), named)

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

const open = wordSchema(requirements)
const destructive = wordSchema(['confirmation', 'approval', 'refusal'], 'destructive')
const guarding = wordSchema(['approval', 'refusal'], 'loosening')

type Cell = typeof open | typeof destructive | typeof guarding

/** A line of the matrix, with the words that its cells may have. */
function lineOf(what: string, cell: Cell, protectedCell: Cell = cell) {
  return group(like('{ active: approval }'), {
    dormant: cell.exactOptional().describe('Needed while the endpoint is stopped.'),
    active: cell.exactOptional().describe('Needed while it is running, or its state is unknown.'),
    protected: protectedCell.exactOptional().describe('Needed while it is protected.'),
  })
    .exactOptional()
    .describe(what)
}

const lines = {
  reversible: lineOf('Start, and anything that only adds a safeguard.', open),
  disruptive: lineOf('Stop, scale, restart and most patches.', open),
  destructive: lineOf('A patch of the start command or of environment variables.', open, destructive),
  loosening: lineOf('Anything that removes a safeguard: unprotect, thaw, wider bounds.', guarding),
} satisfies Record<Impact, unknown>

export const matrixSchema = group(like('disruptive: { active: approval }', 'matrix'), lines).describe(
  'What each kind of change needs, where it differs from the default.',
)

const fallbackForm = like('{ after: 15m, to: [group:S0123ABCD] }', 'fallback')
const fallback = group(fallbackForm, {
  after: span('1m', '7d').describe(
    'How long to wait for an approval before the fallback can approve; shorter than expires.',
  ),
  to: approvers.min(1, { error: shown(fallbackForm) }).describe('Who else can approve from then on.'),
})

/** How approvals are requested; a project and an entry of `endpoints` take the same keys. */
export const approvalsSchema = settings('approvals', {
  needed: countSchema(1, 10).describe('How many people have to approve. Default: 1.'),
  from: approvers.describe('Who can approve. Default: everyone with the approver role.'),
  expires: span('1m', '7d').describe('When a request without an answer expires. Default: 30m.'),
  remind: spanOrOff('1m', '7d').describe(
    'When the first reminder is sent; each later one waits twice as long. Or off. Default: 10m.',
  ),
  fallback: fallback.describe('Who else can approve when nobody has for a while.'),
}).describe('Settings for approvals.')

export const boundsSchema = settings('bounds', {
  replicas: countSchema(1, 10_000).describe('Most replicas a scale can set. Default: 100.'),
  away: span('1h', '365d').describe('Longest delegation of approvals. Default: 30d.'),
  keep: span('1h', '365d').describe('Longest pause of automation for one endpoint. Default: 7d.'),
}).describe('Limits.')

const endpointForm = like('{ match: ["prod-*"], protected: true }')
const matchForm = like('["prod-*", "tag:prod"]')
/** A name with stars, or a tag. What only looks like a tag would match no endpoint, and so protect none. */
export const pattern = textLike(/^(?!(?!tag:\S)[Tt][Aa][Gg][Ss]?\s*:)(?!\s).{1,200}(?<!\s)$/, say('policyFile.pattern'))
const line = z.string({ error: shown(like('"up weekdays 09:00-20:00 Asia/Seoul"')) }).meta({ pattern: '^(up|down) .' })

const endpoint = group(endpointForm, {
  match: listOf(matchForm, pattern)
    .min(1, { error: shown(matchForm) })
    .describe('Which endpoints: names, with * for anything, or tag: and a tag.'),
  protected: yesOrNo()
    .exactOptional()
    .describe('Whether they are protected: never stopped automatically, and with the protected column of the matrix.'),
  matrix: matrixSchema
    .exactOptional()
    .describe('What each kind of change needs for these, where it differs from the project.'),
  approvals: approvalsSchema.exactOptional().describe('Settings for approvals of these.'),
  schedule: listOf(like('["up weekdays 09:00-20:00 Asia/Seoul"]', 'schedule'), line)
    .exactOptional()
    .describe('When these run, unless they have a schedule of their own: up or down, days, times, time zone.'),
  idle: spanOrOff('15m', '30d')
    .exactOptional()
    .describe('After how long without requests these are stopped, unless they have a rule of their own; or off.'),
}).refine((given) => Object.keys(given).some((key) => key !== 'match'), {
  error: packed(say('policyFile.nothingSaid'), endpointForm),
})

/** Settings for some endpoints, read from the top. */
export const endpointsSchema = listOf(like('[{ match: ["prod-*"], protected: true }]', 'endpoints'), endpoint).describe(
  'Settings for some endpoints only. For each setting, the first entry that matches and has it applies.',
)
