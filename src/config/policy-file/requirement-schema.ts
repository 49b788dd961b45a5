import * as z from 'zod'
import { type Exposure, type Impact, requirements } from '../../core/model/policy.ts'
import { say } from '../../core/model/words.ts'
import { approvers } from './member-schema.ts'
import {
  countSchema,
  group,
  keysBelow,
  lengthForm,
  like,
  listOf,
  packed,
  readText,
  shown,
  span,
  textLike,
  wordSchema,
  yesOrNo,
} from './schema-words.ts'

const open = wordSchema(requirements)
const destructive = wordSchema(['confirmation', 'approval', 'refusal'], 'destructive')
const guarding = wordSchema(['approval', 'refusal'], 'loosening')

function lineOf(of: Readonly<Record<Exposure, typeof open | typeof destructive | typeof guarding>>, what: string) {
  return group(like('{ active: approval }'), {
    dormant: of.dormant.exactOptional().describe('What it takes while the endpoint is stopped.'),
    active: of.active.exactOptional().describe('What it takes while it is active, or nobody knows.'),
    protected: of.protected.exactOptional().describe('What it takes while it is protected.'),
  })
    .exactOptional()
    .describe(what)
}

const lines = {
  reversible: lineOf({ dormant: open, active: open, protected: open }, 'Start, and whatever only adds a guard.'),
  disruptive: lineOf({ dormant: open, active: open, protected: open }, 'Stop, scale, restart, most of patch.'),
  destructive: lineOf(
    { dormant: open, active: open, protected: destructive },
    'Patch of the start command or of environment variables.',
  ),
  loosening: lineOf(
    { dormant: guarding, active: guarding, protected: guarding },
    'Whatever takes a guard away: unprotect, thaw, wider bounds.',
  ),
} satisfies Record<Impact, unknown>

export const matrixSchema = group(like('disruptive: { active: approval }', 'matrix'), lines).describe(
  'What it takes before anything is done, where that differs from the usual.',
)

const fallbackForm = like('{ after: 15m, to: [group:S0123ABCD] }', 'fallback')
const fallback = group(fallbackForm, {
  after: span('1m', '7d').describe('How long nobody has approved when they are let in; shorter than expires.'),
  to: approvers.min(1, { error: shown(fallbackForm) }).describe('Who may approve as well from then on.'),
})

const minutes = span('1m', '7d')
const remind = readText<number | null>(
  lengthForm('1m', '7d', 'yes'),
  (text) => {
    if (text === 'off') return { value: null }
    const read = minutes.safeParse(text)
    return read.success ? { value: read.data } : null
  },
  '^(off|[0-9]{1,4}[mhdw])$',
)

/** How people are asked; the same keys for a project and for some of its endpoints. */
export const approvalsSchema = group(keysBelow('approvals', ['needed', 'from', 'expires', 'remind', 'fallback']), {
  needed: countSchema(1, 10).exactOptional().describe('How many different people have to approve. Usually 1.'),
  from: approvers.exactOptional().describe('Who may approve. Left out: whoever has the role approver.'),
  expires: span('1m', '7d').exactOptional().describe('When an ask nobody answered is over. Usually 30m.'),
  remind: remind
    .exactOptional()
    .describe('When people are reminded first, then each time after twice as long; or off. Usually 10m.'),
  fallback: fallback.exactOptional().describe('Who may approve as well once nobody has for a while.'),
}).describe('How approvals are asked for.')

export const boundsSchema = group(keysBelow('bounds', ['replicas', 'away', 'keep']), {
  replicas: countSchema(1, 10_000).exactOptional().describe('The most replicas that a scale may ask for. Usually 100.'),
  away: span('1h', '365d').exactOptional().describe('The longest that somebody may be stood in for. Usually 30d.'),
  keep: span('1h', '365d').exactOptional().describe('The longest that an endpoint may be kept as it is. Usually 7d.'),
}).describe('How far people may go.')

const endpointForm = like('{ match: ["prod-*"], protected: true }')
const matchForm = like('["prod-*", "tag:prod"]')
/** A name with stars, or a tag. */
export const pattern = textLike(/^(?!tag:$)(?!\s).{1,200}(?<!\s)$/, say('policyFile.pattern'))
const line = z.string({ error: shown(like('"up weekdays 09:00-20:00 Asia/Seoul"')) }).meta({ pattern: '^(up|down) .' })

const endpoint = group(endpointForm, {
  match: listOf(matchForm, pattern)
    .min(1, { error: shown(matchForm) })
    .describe('Which endpoints: names, where a star stands for anything, or tag: and a tag.'),
  protected: yesOrNo()
    .exactOptional()
    .describe(
      'Whether they are protected: never stopped by a schedule or for being idle, and what it takes is in the column protected.',
    ),
  matrix: matrixSchema.exactOptional().describe('What it takes for these, where that differs from the project.'),
  approvals: approvalsSchema.exactOptional().describe('How approvals are asked for with these.'),
  schedule: listOf(like('["up weekdays 09:00-20:00 Asia/Seoul"]', 'schedule'), line)
    .exactOptional()
    .describe('When these are up or down, unless they have a schedule of their own: up or down, days, times, zone.'),
  idle: z
    .union([z.literal('off'), span('15m', '30d')], {
      error: shown(lengthForm('15m', '30d', 'yes')),
    })
    .exactOptional()
    .describe('After how long of known quiet these are stopped, unless they have a rule of their own; or off.'),
}).refine((given) => Object.keys(given).some((key) => key !== 'match'), {
  error: packed(say('policyFile.nothingSaid'), endpointForm),
})

/** Settings of some endpoints, read from the top. */
export const endpointsSchema = listOf(like('[{ match: ["prod-*"], protected: true }]', 'endpoints'), endpoint).describe(
  'What holds for some endpoints only. Read from the top: the first that matches and speaks of something decides it.',
)
