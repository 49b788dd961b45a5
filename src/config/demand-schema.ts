import * as z from 'zod'
import { type Exposure, type Impact, requirements } from '../domain/demand.ts'
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
