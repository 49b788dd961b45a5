import fc from 'fast-check'
import { noPrices, usualAutomation } from '../../../src/core/model/automation.ts'
import {
  type ApprovalSettings,
  type Policy,
  usualApprovalSettings,
  usualMatrix,
} from '../../../src/core/model/policy.ts'
import type { Member } from '../../../src/core/model/roles.ts'
import { createMemoryServices, type MemoryServices } from './services.ts'

/** ana and ben operate, cleo and dora approve, eva is an admin; the groups of fay, ida and gus decide their roles. */
export const users = ['U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA', 'U0EVA', 'U0FAY', 'U0IDA', 'U0GUS', 'U0HAL'] as const
export const groups = ['S0OPS', 'S0APP', 'S0FALL'] as const
export const channels = ['C0OPS', 'C0PRIV'] as const
const names = ['my-llm', 'my-tts', 'prod-sd'] as const

function user(id: (typeof users)[number]): Member {
  return { kind: 'user', id }
}
function group(id: (typeof groups)[number]): Member {
  return { kind: 'group', id }
}

const roles = [
  {
    viewer: [{ kind: 'everyone' }],
    operator: [user('U0ANA'), user('U0BEN'), group('S0OPS'), { kind: 'channel', id: 'C0PRIV' }],
    approver: [user('U0CLEO'), user('U0DORA'), user('U0GUS'), user('U0HAL'), group('S0APP')],
    admin: [user('U0EVA')],
  },
  // Roles that a new policy file has reduced.
  { viewer: [], operator: [user('U0ANA')], approver: [user('U0CLEO')], admin: [] },
  {
    viewer: [{ kind: 'everyone' }],
    operator: [group('S0OPS'), user('U0CLEO')],
    approver: [group('S0APP'), user('U0ANA'), user('U0BEN')],
    admin: [user('U0DORA'), user('U0EVA')],
  },
] as const satisfies readonly Policy['roles'][]

const overrides = [
  [],
  [{ match: ['prod-*'], protected: true }],
  [
    { match: ['tag:prod'], asking: { needed: 2 } },
    { match: ['my-*'], protected: true },
  ],
  [{ match: ['my-llm'], matrix: { disruptive: { active: 'approval', protected: 'refusal' } } }],
  [{ match: ['*'], asking: { from: [group('S0APP'), user('U0IDA')], needed: 1 } }],
] as const satisfies readonly Policy['overrides'][]

type Cell = Policy['matrix']['disruptive']['active']

function often<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) })
}

/** Policies similar to the default one, some stricter and some weaker. */
export const policies: fc.Arbitrary<Policy> = fc
  .record({
    roles: often<Policy['roles']>(roles[0], ...roles.slice(1)),
    stop: often<Cell>('approval', 'confirmation', 'confirmation', 'nothing', 'refusal'),
    needed: fc.constantFrom(1, 2, 2, 3),
    from: often<Policy['asking']['from']>(null, [user('U0CLEO'), user('U0FAY'), user('U0GUS')], [group('S0APP')], []),
    fallback: often<Policy['asking']['fallback']>(null, { after: 300_000, to: [group('S0FALL'), user('U0HAL')] }),
    expires: often(1_800_000, 300_000, 3 * 86_400_000),
    overrides: often<Policy['overrides']>(overrides[0], ...overrides.slice(1)),
    version: fc.nat(),
  })
  .map(({ roles: given, stop, overrides: some, version, ...asking }) => ({
    ...policyWith({ stop, asking }),
    roles: given,
    overrides: some,
    version: `v${version}`,
  }))

/** Returns the default policy with another requirement for a stop and other approval settings. */
export function policyWith({
  stop,
  asking,
}: {
  readonly stop: Cell
  readonly asking?: Partial<ApprovalSettings>
}): Policy {
  return {
    version: 'v0',
    language: 'en',
    roles: roles[0],
    matrix: { ...usualMatrix, disruptive: { ...usualMatrix.disruptive, active: stop } },
    asking: { ...usualApprovalSettings, ...asking },
    overrides: [],
    bounds: { replicas: 5, away: 7 * 86_400_000, keep: 7 * 86_400_000 },
    webhooks: [],
    tokens: [],
    workflows: [],
    automation: usualAutomation,
    prices: noPrices,
  }
}

export const endpointNames = fc.constantFrom(...names, 'my-llm', 'prod-sd', 'prod-sd')
/** After how many moments of a step the worker dies or sleeps; usually it does neither. */
export const deaths = fc.oneof(
  { weight: 10, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ dies: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ sleeps: fc.integer({ min: 1, max: 6 }) }) },
)
export type Fate = { readonly dies: number } | { readonly sleeps: number } | null

/** Creates services with these people, channels and three endpoints, one of which is stopped. */
export function peopled(policy: Policy, drops = false): MemoryServices {
  const town = createMemoryServices({ policy, drops })
  const { people, platform } = town
  for (const id of users) people.persons.set(id, { membership: 'full', groups: new Set(), known: true })
  people.persons.set('U0GUS', { membership: 'guest', groups: new Set(['S0APP']), known: true })
  people.persons.set('U0HAL', { membership: 'outside', groups: new Set(['S0OPS', 'S0APP']), known: true })
  people.persons.get('U0FAY')?.groups.add('S0APP')
  people.channels.set('C0OPS', null)
  people.channels.set('C0PRIV', new Set(['U0ANA', 'U0IDA']))
  // A press on the Home comes from the presser's own id as channel, which no policy names.
  for (const id of users) people.channels.set(id, null)
  for (const [at, name] of names.entries()) {
    platform.endpoints.set(`ep-${at}`, {
      id: `ep-${at}`,
      name,
      active: name !== 'my-tts',
      replicas: 3 - at,
      autoscaled: false,
      tags: name === 'prod-sd' ? ['prod'] : [],
      restsAt: 0,
      updatedAt: new Date(0).toISOString(),
      settings: {},
    })
  }
  return town
}
