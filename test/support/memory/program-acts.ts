import fc from 'fast-check'
import type { AccessToken } from '../../../src/core/model/token.ts'
import { tokenDigest } from '../../../src/core/policy/programs.ts'
import { requestIdOf } from '../../../src/core/requests/receive.ts'
import { rows } from '../../../src/features/command-table.ts'
import { users } from './cast.ts'
import { homeTeam } from './people.ts'

/* Random actions of programs and people. */

export const onlyPeople = ['approve', 'decline', 'break-glass', 'thaw', 'away', 'back', 'undo', 'token']
const endpoints = ['my-llm', 'my-tts', 'prod-sd']

/** The examples of all commands, lines about each endpoint, and lines that no program should send. */
const lines = [
  ...rows.flatMap(({ examples }) => examples),
  ...endpoints.flatMap((name) => [
    `stop ${name}`,
    `start ${name}`,
    `scale ${name} 5`,
    `protect ${name}`,
    `cancel ${name}`,
  ]),
  ...onlyPeople.flatMap((verb) => [verb, `${verb} my-llm`, `${verb} my-llm reason="I am told to"`]),
  'token new mine operator',
  'patch my-llm env=SECRET',
  'start my-tts sealed=yes',
  'stop my-llm reason="<@U0EVA> <!channel> approve this"',
  'freeze until tomorrow reason="x"',
  'x'.repeat(2_000),
  'stop "',
  '',
  'status my-tts',
  'history my-tts',
  'explain patch my-tts env=HF_TOKEN',
]

/** Lines that are often accepted, so that many requests begin. */
const ordinary = endpoints.flatMap((name) => [`stop ${name}`, `start ${name}`, `scale ${name} to 4`])

export const tokens: readonly Pick<AccessToken, 'id' | 'by' | 'role' | 'only' | 'on'>[] = [
  { id: 'T'.padEnd(22, 'a'), by: { team: homeTeam, user: 'U0ANA' }, role: 'operator' },
  { id: 'T'.padEnd(22, 'b'), by: { team: homeTeam, user: 'U0EVA' }, role: 'operator' },
  { id: 'T'.padEnd(22, 'c'), by: { team: homeTeam, user: 'U0EVA' }, role: 'viewer' },
  { id: 'T'.padEnd(22, 'd'), by: { team: homeTeam, user: 'U0IDA' }, role: 'operator' },
  { id: 'T'.padEnd(22, 'e'), by: { team: homeTeam, user: 'U0CLEO' }, role: 'operator', only: ['start'], on: ['my-*'] },
]

/** The secret that a program sends. A reader of the storage knows the digest. */
export const shows = {
  own: (id: string) => `lamp_${id}`.padEnd(70, 's'),
  guess: (id: string) => `lamp_${id}`.padEnd(70, 't'),
  digest: (id: string) => `lamp_${id}${tokenDigest(shows.own(id))}`,
  nothing: () => '',
}

/** A person's patch with a secret value, and below it a value that the endpoint already has. */
export const patched = {
  id: requestIdOf('a form'),
  line: 'patch my-tts env=HF_TOKEN',
  value: 'nobody-may-read-4711',
} as const
export const environment = [{ key: 'HF_TOKEN', value: 'nobody-may-read-4712' }]
export const hidden = [
  patched.value,
  ...environment.map(({ value }) => value),
  ...tokens.flatMap(({ id }) => [shows.own(id), tokenDigest(shows.own(id))]),
]
lines.push(...hidden.map((secret) => `start my-tts reason="${secret.startsWith('lamp_') ? secret : 'none'}"`))

export interface Call {
  readonly token: number
  readonly door: 'inside' | 'http' | 'mcp' | 'slack'
  readonly shows: keyof typeof shows
}

export type Act =
  | (Call & {
      readonly does: 'hands in'
      readonly line: string
      readonly key: number
      /** Sends a query as an operation, or an operation as a query. */
      readonly mistaken: boolean
    })
  | (Call & { readonly does: 'asks'; readonly nth: number })
  | { readonly does: 'presses'; readonly user: string; readonly nth: number; readonly yes: boolean }
  | { readonly does: 'revokes' | 'grants'; readonly token: number }
  | { readonly does: 'passes'; readonly minutes: number }
  | { readonly does: 'leaves' | 'returns'; readonly user: string }
  /** Nobody returns during these acts, so a person who is gone before and after was gone throughout. */
  | { readonly does: 'at once'; readonly acts: readonly Act[] }

/** Mostly the first token, whose program may act, so that many requests begin. */
const token = fc.oneof(fc.constant(0), fc.nat(tokens.length - 1))
const user = fc.oneof(fc.constantFrom('U0ANA', 'U0BEN', 'U0CLEO', 'U0DORA', 'U0EVA'), fc.constantFrom(...users))
const calls = {
  token,
  door: fc.oneof(
    { weight: 4, arbitrary: fc.constant('inside' as const) },
    { weight: 2, arbitrary: fc.constant('http' as const) },
    { weight: 1, arbitrary: fc.constantFrom('mcp' as const, 'slack' as const) },
  ),
  shows: fc.oneof(
    { weight: 6, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constantFrom('guess' as const, 'digest' as const, 'nothing' as const) },
  ),
}
const handsIn = fc.record({
  does: fc.constant('hands in' as const),
  ...calls,
  line: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...ordinary) },
    { weight: 1, arbitrary: fc.constantFrom(...lines) },
  ),
  key: fc.nat(6),
  mistaken: fc.nat(7).map((nth) => nth === 0),
})
const press = fc.record({
  does: fc.constant('presses' as const),
  user,
  nth: fc.nat(5),
  yes: fc.nat(4).map((nth) => nth > 0),
})
const revokes = fc.record({ does: fc.constant('revokes' as const), token })
const leaves = fc.record({ does: fc.constant('leaves' as const), user })
const atOnce = fc.oneof(
  { weight: 6, arbitrary: handsIn },
  { weight: 3, arbitrary: press },
  { weight: 1, arbitrary: fc.oneof(revokes, leaves) },
)
export const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 10, arbitrary: handsIn },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('asks' as const), ...calls, nth: fc.nat(9) }) },
  { weight: 8, arbitrary: press },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('at once' as const),
      acts: fc.array<Act>(atOnce, { minLength: 2, maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.oneof(revokes, fc.record({ does: fc.constant('grants' as const), token })) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('passes' as const),
      minutes: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 50 })),
    }),
  },
  { weight: 1, arbitrary: fc.oneof(leaves, fc.record({ does: fc.constant('returns' as const), user })) },
)
