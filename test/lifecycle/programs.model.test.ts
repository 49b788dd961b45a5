import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Request } from '../../src/core/model/request.ts'
import type { Role } from '../../src/core/model/roles.ts'
import { type AccessToken, tokenKey } from '../../src/core/model/token.ts'
import { fits } from '../../src/core/policy/requirement.ts'
import { acceptFromProgram, type ProgramCaller } from '../../src/core/requests/accept-program.ts'
import type { ProjectGateway } from '../../src/core/requests/gateway.ts'
import { commands, rows } from '../../src/features/command-table.ts'
import { peopled, policies, users } from '../support/memory/cast.ts'
import { rankOf } from '../support/memory/law.ts'
import { homeTeam } from '../support/memory/people.ts'
import { presses, type Stage, staged, swept } from '../support/memory/stage.ts'
import { tries } from '../support/search.ts'

/*
 * What hostile and confused programs can do: whatever they hand in, in whatever order, while people press, tokens are
 * revoked and roles change. This file says the rules once more, by itself, and looks at every write and every call.
 */

const onlyPeople = ['approve', 'decline', 'break-glass', 'thaw', 'away', 'back', 'undo', 'token']
const endpoints = ['my-llm', 'my-tts', 'prod-sd']

/** Every example of every command, about each endpoint, and what nobody should hand in. */
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
]

/** What is often taken, so that much begins. */
const ordinary = endpoints.flatMap((name) => [`stop ${name}`, `start ${name}`, `scale ${name} to 4`])

const tokens: readonly Pick<AccessToken, 'id' | 'by' | 'role' | 'only' | 'on'>[] = [
  { id: 'T'.padEnd(22, 'a'), by: { team: homeTeam, user: 'U0ANA' }, role: 'operator' },
  { id: 'T'.padEnd(22, 'b'), by: { team: homeTeam, user: 'U0EVA' }, role: 'operator' },
  { id: 'T'.padEnd(22, 'c'), by: { team: homeTeam, user: 'U0EVA' }, role: 'viewer' },
  { id: 'T'.padEnd(22, 'd'), by: { team: homeTeam, user: 'U0IDA' }, role: 'operator' },
  { id: 'T'.padEnd(22, 'e'), by: { team: homeTeam, user: 'U0CLEO' }, role: 'operator', only: ['start'], on: ['my-*'] },
]

interface World extends Stage {
  /** Who has pressed yes, by request. */
  readonly agreed: Map<string, Set<string>>
  readonly pressed: Set<string>
  readonly faults: string[]
  readonly handed: Map<string, number>
}

type Act =
  | {
      readonly does: 'hands in'
      readonly token: number
      readonly line: string
      readonly key: number
      readonly wants: 'query' | 'operation'
    }
  | { readonly does: 'presses'; readonly user: string; readonly nth: number; readonly yes: boolean }
  | { readonly does: 'revokes' | 'grants'; readonly token: number }
  | { readonly does: 'passes'; readonly minutes: number }
  | { readonly does: 'leaves' | 'returns'; readonly user: string }

const token = fc.nat(tokens.length - 1)
const user = fc.constantFrom(...users)
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('hands in' as const),
      token,
      line: fc.oneof(fc.constantFrom(...ordinary), fc.constantFrom(...lines)),
      key: fc.nat(6),
      wants: fc.constantFrom('operation' as const, 'operation' as const, 'query' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('presses' as const), user, nth: fc.nat(5), yes: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('revokes' as const, 'grants' as const), token }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('passes' as const), minutes: fc.integer({ min: 1, max: 50 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('leaves' as const, 'returns' as const), user }) },
)

const tally = new Map<string, number>()

async function play(policy: Parameters<typeof peopled>[0], sequence: readonly Act[]): Promise<void> {
  const stage = staged(peopled({ ...policy, tokens: [{ kind: 'everyone' }] }))
  const world: World = { ...stage, agreed: new Map(), pressed: new Set(), faults: [], handed: new Map() }
  for (let at = 0; at < tokens.length; at += 1) await grant(world, at)
  world.platform.onCall = ({ endpoint, call }) => {
    const asked = holderOf(world, endpoint)
    if (asked === undefined || (world.agreed.get(asked.id)?.size ?? 0) === 0)
      world.faults.push(`${call.method} ${endpoint} without anybody’s press`)
    count('called')
    const sends = asked?.progress?.flatMap((step) => step.sends) ?? []
    if (asked !== undefined && sends.length === 1) begins(world, asked)
  }
  world.shelf.onMove = ({ after, options }) => {
    if (options.change !== undefined) begins(world, after)
  }
  for (const act of sequence) {
    await carryOut(world, act)
    await world.work()
    await look(world)
    expect(world.faults).toEqual([])
  }
}

async function carryOut(world: World, act: Act): Promise<void> {
  const { clock, store, people } = world
  if (act.does === 'hands in') {
    const caller = callerOf(world, act.token)
    const given = { line: act.line, wants: act.wants, key: `key-${act.key}`, reason: 'I was told to' }
    const result = await acceptFromProgram({ commands, clock }, caller, given)
    count(result.kind === 'refused' ? `refused: ${result.why}` : result.kind)
    if (result.kind === 'taken') world.handed.set(result.id, act.token)
  } else if (act.does === 'presses') {
    const open = (await store.open()).filter(({ status }) => status === 'awaiting')
    const request = open[act.nth % Math.max(1, open.length)]
    if (request === undefined) return
    world.pressed.add(act.user)
    if (act.yes) world.agreed.set(request.id, (world.agreed.get(request.id) ?? new Set()).add(act.user))
    await presses(world, act.user, request.id, act.yes)
  } else if (act.does === 'passes') {
    clock.pass(act.minutes * 60_000)
    await swept(world)
  } else if ('token' in act) {
    if (act.does === 'grants') await grant(world, act.token)
    else await store.write({ drop: [tokenKey(tokens[act.token]?.id ?? '')] }, [])
  } else {
    const person = people.persons.get(act.user)
    if (person !== undefined && !['U0GUS', 'U0HAL'].includes(act.user))
      person.standing = act.does === 'leaves' ? 'outside' : 'full'
  }
}

/** What holds after each act, by every request that there is. */
async function look(world: World): Promise<void> {
  const { shelf, faults, services } = world
  const records = await services.store.records()
  for (const { request } of shelf.requests.values()) {
    const { id, line, votes = [], decision, status, through, requirement, change } = request
    const verb = line.split(' ')[0] ?? ''
    if (through === undefined) faults.push(`“${line}” does not say which program it came from`)
    if (onlyPeople.includes(verb)) faults.push(`“${line}” was stored`)
    for (const { by } of votes)
      if (!world.agreed.get(id)?.has(by.user) || by.user === request.actor.user)
        faults.push(`a vote of ${by.user} on “${line}”`)
    if (decision?.yes === true && !world.agreed.get(id)?.has(decision.by.user))
      faults.push(`nobody agreed to “${line}”`)
    if (requirement === 'nothing') faults.push(`“${line}” asked nobody`)
    if (status === 'succeeded' && request.kind === 'operation' && verb !== 'cancel') {
      if (decision?.yes !== true) faults.push(`“${line}” was done without a person`)
      count(change === undefined ? 'done' : 'changed')
    }
  }
  const changed = [...records.values()].filter(({ kind }) => kind === 'away' || kind === 'lockdown')
  if (changed.length > 0) faults.push('records that only people make')
  if (shelf.requests.size > 400) faults.push('storage is filled')
}

/** At its first call, or as it changes our own records, a request still has a token that may, and a person who may. */
function begins(world: World, { line, through, actor, place, endpoint }: Request): void {
  const { faults, shelf, clock } = world
  const token = shelf.records.get(tokenKey(through?.token ?? '')) as AccessToken | undefined
  const [verb = ''] = line.split(' ')
  if (token === undefined || token.until <= clock.now()) return void faults.push(`“${line}” began with a revoked token`)
  const { role, only, on } = token
  if (role !== 'operator') faults.push(`“${line}” began for a viewer`)
  if (only !== undefined && !only.includes(verb)) faults.push(`“${line}” is outside its commands`)
  const isOn = on === undefined || on.some((one) => fits(one, { name: endpoint?.name ?? '', tags: [] }))
  if (!isOn) faults.push(`“${line}” is outside its endpoints`)
  if (rankOf({ ...world, policy: world.services.policy }, actor, place) < 2)
    faults.push(`${actor.user} may not “${line}”`)
  count('begun')
}

function holderOf({ shelf }: World, endpoint: string): Request | undefined {
  return shelf.requests.get(shelf.locks.get(endpoint) ?? '')?.request
}

async function grant({ store, clock }: World, at: number): Promise<void> {
  const found = tokens[at]
  if (found === undefined) return
  const [made, until] = [clock.now(), clock.now() + 3_600_000]
  await store.write({ put: [{ kind: 'token', name: `program ${at}`, at: made, until, digest: '', ...found }] }, [])
}

/** As the door proves it: of a revoked token it would say nothing, so that what comes then is refused further inside. */
function callerOf({ store, services }: World, at: number): ProgramCaller {
  const { id, by } = tokens[at] ?? { id: '', by: { team: '', user: '' } }
  const roleOf = async () => 'viewer' as Role
  const gateway = {
    project: 'default',
    languageOf: async () => 'en' as const,
    channels: () => ['*'],
    isDirect: () => false,
    operationsChannel: () => 'C0OPS',
    store,
    queue: services.queue,
    home: { roleOf, uselessTo: async () => [] },
  } as unknown as ProjectGateway
  return { gateway, actor: by, through: { token: id, name: `program ${at}` } }
}

function count(what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

/** Of 1,000 sequences each: 10,000 in `npm run test:faults`. */
const seeds = Array.from({ length: tries(10, 10) }, (_, at) => at + 1)

test.each(seeds)(
  'whatever programs hand in, nothing is done that no person has pressed for (seed %d)',
  async (seed) => {
    const sequences = fc.array(acts, { minLength: 5, maxLength: 40 })
    await fc.assert(fc.asyncProperty(policies, sequences, play), { seed, numRuns: tries(1_000, 4) })
  },
)

test.each(['taken', 'called', 'done', 'changed', 'begun', 'refused: not allowed', 'refused: other line'])(
  'and it is no empty proof: much was %s',
  (what) => expect(tally.get(what) ?? 0).toBeGreaterThan(5),
)
