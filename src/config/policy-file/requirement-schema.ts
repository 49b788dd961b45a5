import * as z from 'zod'
import { type Exposure, type Impact, requirements } from '../../core/model/policy.ts'
import { approvers } from './member-schema.ts'
import { count, shown, span, word } from './schema-words.ts'

const forms = {
  matrix: 'Write what differs from the usual one, for example disruptive: { active: approval }; or leave matrix out.',
  cells: 'Write what it takes where it is dormant, active or protected, for example { active: approval }.',
  approvals: 'Write needed, from, expires, remind or fallback below it, or leave approvals out.',
  fallback: 'Write for example { after: 15m, to: [group:S0123ABCD] }, or leave fallback out.',
  remind: 'Write a length of time from 1m to 7d, for example 10m, or off.',
  bounds: 'Write replicas, away or keep below it, or leave bounds out.',
}

const open = word(requirements)
const felt = word(['confirmation', 'approval', 'refusal'], ': what cannot be brought back always takes a second look')
const guarding = word(['approval', 'refusal'], ': taking a guard away always takes somebody else')

/** One line of the matrix. */
function lineOf(of: Readonly<Record<Exposure, typeof open | typeof felt | typeof guarding>>, what: string) {
  return z
    .strictObject(
      {
        dormant: of.dormant.exactOptional().describe('What it takes while the endpoint is stopped.'),
        active: of.active.exactOptional().describe('What it takes while it is active, or nobody knows.'),
        protected: of.protected.exactOptional().describe('What it takes while it is protected.'),
      },
      { error: shown(forms.cells) },
    )
    .exactOptional()
    .describe(what)
}

const lines = {
  reversible: lineOf({ dormant: open, active: open, protected: open }, 'Start, and whatever only adds a guard.'),
  disruptive: lineOf({ dormant: open, active: open, protected: open }, 'Stop, scale, restart, most of patch.'),
  destructive: lineOf(
    { dormant: open, active: open, protected: felt },
    'Patch of the start command or of environment variables.',
  ),
  loosening: lineOf(
    { dormant: guarding, active: guarding, protected: guarding },
    'Whatever takes a guard away: unprotect, thaw, wider bounds.',
  ),
} satisfies Record<Impact, unknown>

export const matrixSchema = z
  .strictObject(lines, { error: shown(forms.matrix) })
  .describe('What it takes before anything is done, where that differs from the usual.')

const fallback = z.strictObject(
  {
    after: span('1m', '7d').describe('How long nobody has approved when they are let in; shorter than expires.'),
    to: approvers.min(1, { error: shown(forms.fallback) }).describe('Who may approve as well from then on.'),
  },
  { error: shown(forms.fallback) },
)

const minutes = span('1m', '7d')
const remind = z
  .string({ error: shown(forms.remind) })
  .meta({ pattern: '^(off|[0-9]{1,4}[mhdw])$' })
  .transform((text, context): number | null => {
    if (text === 'off') return null
    const read = minutes.safeParse(text)
    if (read.success) return read.data
    context.addIssue({ code: 'custom', message: `is ${JSON.stringify(text.slice(0, 60))}. ${forms.remind}` })
    return z.NEVER
  })

/** How people are asked; the same keys for a project and for some of its endpoints. */
export const approvalsSchema = z
  .strictObject(
    {
      needed: count(1, 10).exactOptional().describe('How many different people have to approve. Usually 1.'),
      from: approvers.exactOptional().describe('Who may approve. Left out: whoever has the role approver.'),
      expires: span('1m', '7d').exactOptional().describe('When an ask nobody answered is over. Usually 30m.'),
      remind: remind
        .exactOptional()
        .describe('When people are reminded first, then each time after twice as long; or off. Usually 10m.'),
      fallback: fallback.exactOptional().describe('Who may approve as well once nobody has for a while.'),
    },
    { error: shown(forms.approvals) },
  )
  .describe('How approvals are asked for.')

export const boundsSchema = z
  .strictObject(
    {
      replicas: count(1, 10_000).exactOptional().describe('The most replicas that a scale may ask for. Usually 100.'),
      away: span('1h', '365d').exactOptional().describe('The longest that somebody may be stood in for. Usually 30d.'),
      keep: span('1h', '365d')
        .exactOptional()
        .describe('The longest that an endpoint may be kept as it is. Usually 7d.'),
    },
    { error: shown(forms.bounds) },
  )
  .describe('How far people may go.')

const endpointForms = {
  endpoints: 'Write a list, each with match and what is said of those endpoints; or leave endpoints out.',
  endpoint: 'Write match: with names or tags, and protected, matrix, approvals or schedule below it.',
  match: 'Write a list of names and tags, for example ["prod-*", "tag:prod"].',
  pattern: 'Write a name such as my-llm or "prod-*", or a tag such as "tag:prod".',
  held: 'Write true or false.',
  schedule: 'Write a list of lines, for example ["up weekdays 09:00-20:00 Asia/Seoul"]; [] is none.',
  idle: 'Write a length of time from 15m to 30d, for example 60m, or off.',
  line: 'Write a line such as "up weekdays 09:00-20:00 Asia/Seoul".',
}

const pattern = z
  .string({ error: shown(endpointForms.pattern) })
  .regex(/^(?!tag:$)(?!\s).{1,200}(?<!\s)$/, { error: shown(endpointForms.pattern) })

const endpoint = z
  .strictObject(
    {
      match: z
        .array(pattern, { error: shown(endpointForms.match) })
        .min(1, { error: shown(endpointForms.match) })
        .describe('Which endpoints: names, where a star stands for anything, or tag: and a tag.'),
      protected: z
        .boolean({ error: shown(endpointForms.held) })
        .exactOptional()
        .describe(
          'Whether they are protected: never stopped by a schedule or for being idle, and what it takes is in the column protected.',
        ),
      matrix: matrixSchema.exactOptional().describe('What it takes for these, where that differs from the project.'),
      approvals: approvalsSchema.exactOptional().describe('How approvals are asked for with these.'),
      schedule: z
        .array(z.string({ error: shown(endpointForms.line) }).meta({ pattern: '^(up|down) .' }), {
          error: shown(endpointForms.schedule),
        })
        .exactOptional()
        .describe(
          'When these are up or down, unless they have a schedule of their own: up or down, days, times, zone.',
        ),
      idle: z
        .union([z.literal('off'), span('15m', '30d')], { error: shown(endpointForms.idle) })
        .exactOptional()
        .describe('After how long of known quiet these are stopped, unless they have a rule of their own; or off.'),
    },
    { error: shown(endpointForms.endpoint) },
  )
  .refine((given) => Object.keys(given).some((key) => key !== 'match'), {
    error: `says nothing of the endpoints that it matches. ${endpointForms.endpoint}`,
  })

/** What is said of some endpoints only, read from the top. */
export const endpointsSchema = z
  .array(endpoint, { error: shown(endpointForms.endpoints) })
  .describe(
    'What holds for some endpoints only. Read from the top: the first that matches and speaks of something decides it.',
  )
