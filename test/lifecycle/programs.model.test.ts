import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fits } from '../../src/core/model/automation.ts'
import type { Request } from '../../src/core/model/request.ts'
import { type AccessToken, tokenKey } from '../../src/core/model/token.ts'
import { tokenDigest } from '../../src/core/policy/programs.ts'
import { acceptFromProgram } from '../../src/core/requests/accept-program.ts'
import { receive } from '../../src/core/requests/receive.ts'
import { commands } from '../../src/features/command-table.ts'
import { peopled, policies } from '../support/memory/cast.ts'
import { type Answered, type Doors, gatewayOn, type Handed, openDoors } from '../support/memory/doors.ts'
import { rankOf } from '../support/memory/law.ts'
import { homeTeam } from '../support/memory/people.ts'
import {
  type Act,
  acts,
  type Call,
  environment,
  hidden,
  onlyPeople,
  patched,
  shows,
  tokens,
} from '../support/memory/program-acts.ts'
import { presses, type Stage, staged, swept } from '../support/memory/stage.ts'
import { tries } from '../support/search.ts'

/*
 * Hostile and confused programs hand in anything, through every door, in any order, while people press, tokens are
 * revoked and roles change. This file states the rules a second time and checks every answer, write and call.
 */

interface World extends Stage {
  readonly doors: Doors
  /** The people who pressed yes, by request. */
  readonly agreed: Map<string, Set<string>>
  /** Each request and a person who pressed no. */
  readonly disagreed: Set<string>
  readonly faults: string[]
  /** Requests whose id a program was told. */
  readonly told: Set<string>
  /** Request ids by idempotency key. */
  readonly keyed: Map<string, string>
}

const tally = new Map<string, number>()

async function play(policy: Parameters<typeof peopled>[0], sequence: readonly Act[]): Promise<void> {
  const stage = staged(peopled({ ...policy, tokens: [{ kind: 'everyone' }] }))
  const doors = await openDoors(stage)
  const world: World = {
    ...stage,
    doors,
    agreed: new Map(),
    disagreed: new Set(),
    faults: [],
    told: new Set(),
    keyed: new Map(),
  }
  watch(world)
  try {
    for (let at = 0; at < tokens.length; at += 1) await grant(world, at)
    await patch(world)
    for (const act of sequence) {
      await carryOut(world, act)
      await world.work()
      await look(world, act.does === 'at once' ? act.acts.length : 1)
      if (world.faults.length > 0) break
    }
    const stored = JSON.stringify([...world.shelf.requests.values()])
    expect([...world.faults, ...hidden.filter((secret) => stored.includes(secret))]).toEqual([])
  } finally {
    await doors.stop()
  }
}

function watch(world: World): void {
  world.platform.onCall = ({ endpoint, call }) => {
    const asked = holderOf(world, endpoint)
    if (asked === undefined || (world.agreed.get(asked.id)?.size ?? 0) === 0)
      world.faults.push(`${call.method} ${endpoint} without anybody’s press`)
    count('called')
    const sends = asked?.progress?.flatMap((step) => step.sends) ?? []
    if (asked !== undefined && sends.length === 1) begins(world, asked)
  }
  world.shelf.onMove = ({ after, events, options }) => {
    if (options.change !== undefined) begins(world, after)
    const by = events.find(({ what }) => what === 'cancelled')?.by
    // Here only programs cancel, except that people withdraw their own questions, and that a start gives way to a stop
    // that a person has confirmed.
    const isTheirs = after.through !== undefined && after.actor.user === by?.user
    const stops = [...world.shelf.requests.values()].filter(({ request }) => request.line.startsWith('stop '))
    const gaveWay = stops.some(
      ({ request: { actor, endpoint, decision } }) =>
        actor.user === by?.user && endpoint?.id === after.endpoint?.id && decision?.yes === true,
    )
    const isWithdrawn = after.actor.user === by?.user && world.disagreed.has(`${after.id} ${by.user}`)
    if (by !== undefined && !isTheirs && !isWithdrawn && !gaveWay)
      world.faults.push(`${by.user}’s program cancelled “${after.line}” of ${after.actor.user}`)
  }
}

/** Ana changes a secret value. */
async function patch({ store, services, clock, platform }: World): Promise<void> {
  const actor = { team: homeTeam, user: 'U0ANA' }
  const [{ id, line, value }, at] = [patched, clock.now()]
  for (const endpoint of platform.endpoints.values()) endpoint.settings = { container_env_vars: environment }
  await services.seals?.seal(
    { request: id, endpoint: 'my-tts', actor, field: 'env' },
    [{ key: 'HF_TOKEN', value }],
    86_400_000,
  )
  const place = { channel: 'C0OPS' }
  const request = {
    id,
    project: 'default',
    kind: 'operation',
    line,
    actor,
    place,
    sealed: true,
    receivedAt: at,
  } as const
  await receive({ store, queue: services.queue }, { ...request, status: 'received', notes: [], nextAt: at })
}

async function carryOut(world: World, act: Act): Promise<void> {
  const { clock, store, people } = world
  if (act.does === 'at once') {
    await Promise.all(act.acts.map((one) => carryOut(world, one)))
  } else if (act.does === 'hands in') {
    await handIn(world, act)
  } else if (act.does === 'asks') {
    const known = [...world.shelf.requests.values()]
    const { id, ...request } = known[act.nth % known.length]?.request ?? { id: '' }
    const answer = await through(world, act, { id })
    const isMine = 'through' in request && request.through?.token === throughOf(act).token
    if (answer?.ok && !isMine && 'kind' in request && request.kind === 'query')
      world.faults.push(`“${request.line}” of another program was shown`)
  } else if (act.does === 'presses') {
    const open = (await store.open()).filter(({ status }) => status === 'awaiting')
    const request = open[act.nth % Math.max(1, open.length)]
    if (request === undefined) return
    if (!act.yes) world.disagreed.add(`${request.id} ${act.user}`)
    if (act.yes) world.agreed.set(request.id, (world.agreed.get(request.id) ?? new Set()).add(act.user))
    await presses(world, act.user, request.id, act.yes)
  } else if (act.does === 'passes') {
    clock.pass(act.minutes * 60_000)
    await swept(world)
  } else if ('token' in act) {
    if (act.does === 'grants') await grant(world, act.token)
    else await revoke(world, act.token)
  } else {
    const person = people.persons.get(act.user)
    if (person !== undefined && !['U0GUS', 'U0HAL'].includes(act.user))
      person.membership = act.does === 'leaves' ? 'outside' : 'full'
  }
}

function rowOf(read: Exclude<ReturnType<typeof commands.parse>, { kind: 'misread' }>) {
  return read.kind === 'line' ? read.read.row : read.row
}

async function handIn(world: World, act: Extract<Act, { does: 'hands in' }>): Promise<void> {
  const { line, mistaken, token: at } = act
  const read = commands.parse(line)
  const isQuery = read.kind !== 'misread' && rowOf(read).kind === 'query'
  const wants = isQuery === mistaken ? ('operation' as const) : ('query' as const)
  // A query does not store its caller's key.
  const key = `${wants}-of-job-${act.key}`
  const handed = { line, wants, key, reason: 'I was told to' }
  const answer = await through(world, act, handed)
  let id = answer?.ok ? answer.id : undefined
  if (answer === null) {
    const caller = { gateway: gatewayOn(world, false), actor: byOf(act), through: throughOf(act) }
    const result = await acceptFromProgram({ commands, clock: world.clock }, caller, handed)
    count(result.kind === 'refused' ? `refused: ${result.why}` : result.kind)
    if (result.kind === 'accepted') id = result.id
  }
  if (id === undefined) return
  world.told.add(id)
  const verb = read.kind === 'misread' ? '' : rowOf(read).name
  const stored = world.shelf.requests.get(id)?.request.line ?? ''
  if (act.door !== 'mcp' && act.door !== 'slack' && wants === 'operation') {
    if (stored.split(' ')[0] !== verb) world.faults.push(`“${line}” was taken for “${stored}”`)
    const before = world.keyed.get(`${at} ${key}`) ?? id
    if (before !== id) world.faults.push(`“${line}” was taken twice under one key`)
    world.keyed.set(`${at} ${key}`, id)
  }
}

/** Calls through a real door. Returns null for a call to be made further inside, as if its door had let it in. */
async function through(world: World, call: Call, handed: Handed): Promise<Answered | null> {
  const { doors, faults } = world
  const { door, token: at } = call
  if (door === 'inside') return null
  const isIn = () => ({
    token: isLive(world, at),
    person: rankOf({ ...world, policy: world.services.policy }, byOf(call), { channel: 'C0OPS', chosen: true }) > 0,
  })
  const before = isIn()
  const secret = shows[call.shows](tokens[at]?.id ?? '')
  const answer = await (door === 'slack' ? doors.slack(byOf(call), handed) : doors[door](secret, handed))
  const after = isIn()
  const said = `${JSON.stringify(handed)} was answered`
  const isProved = call.shows === 'own' && (before.token || after.token)
  if (door !== 'slack' && !isProved && answer.status !== 401) faults.push(`${said} without a token`)
  if (!before.person && !after.person && answer.ok) faults.push(`${said} for nobody`)
  for (const one of hidden) if (answer.text.includes(one)) faults.push(`${said} with a secret`)
  count(answer.ok ? `answered by ${door}` : `refused by ${door}`)
  const [, why] = /(?:urn:lamplighter:|"why":")([a-z-]+)/.exec(answer.text) ?? []
  if (why === 'fault') faults.push(`${said} with a fault`)
  if (why !== undefined) count(`refused: ${why.replaceAll('-', ' ')}`)
  return answer
}

/** Checks the rules that hold for every request after each act. `atOnce`: the number of simultaneous calls. */
async function look(world: World, atOnce: number): Promise<void> {
  const { shelf, faults, services, told } = world
  const waiting = new Map<string, number>()
  const records = await services.store.records()
  for (const { request } of shelf.requests.values()) {
    const { id, line, votes = [], decision, status, through, requirement, change, ending, actor } = request
    const verb = line.split(' ')[0] ?? ''
    if (id === patched.id) continue
    if (!told.has(id)) faults.push(`“${line}” was stored, and nobody was told`)
    const whose = `${through?.token} ${actor.user}`
    if (request.kind === 'operation' && ending === undefined && verb !== 'cancel')
      waiting.set(whose, (waiting.get(whose) ?? 0) + 1)
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
  // Simultaneous calls do not see each other.
  for (const [whose, open] of waiting) if (open > 4 + atOnce) faults.push(`${open} proposals of ${whose} wait`)
}

/** At a request's first call or change of records, its token and its person must still be allowed to do it. */
function begins(world: World, { line, through, actor, place, endpoint }: Request): void {
  const { faults, shelf, clock } = world
  if (rankOf({ ...world, policy: world.services.policy }, actor, place) < 2)
    faults.push(`${actor.user} may not “${line}”`)
  if (through === undefined || through.token === 'chat') {
    count(`begun for ${through?.name ?? 'a person'}`)
    return
  }
  const token = shelf.records.get(tokenKey(through.token)) as AccessToken | undefined
  const [verb = ''] = line.split(' ')
  if (token === undefined || token.revoked === true || token.until <= clock.now())
    return void faults.push(`“${line}” began with a revoked token`)
  const { role, only, on } = token
  if (role !== 'operator') faults.push(`“${line}” began for a viewer`)
  if (only !== undefined && !only.includes(verb)) faults.push(`“${line}” is outside its commands`)
  const isOn = on === undefined || on.some((one) => fits(one, { name: endpoint?.name ?? '', tags: [] }))
  if (!isOn) faults.push(`“${line}” is outside its endpoints`)
  count('begun')
}

function holderOf({ shelf }: World, endpoint: string): Request | undefined {
  return shelf.requests.get(shelf.locks.get(endpoint) ?? '')?.request
}

async function grant({ store, clock }: World, at: number): Promise<void> {
  const found = tokens[at]
  if (found === undefined) return
  const [made, until, digest] = [clock.now(), clock.now() + 3_600_000, tokenDigest(shows.own(found.id))]
  await store.write({ put: [{ kind: 'token', name: `program ${at}`, at: made, until, digest, ...found }] }, [])
}

async function revoke({ store, shelf }: World, at: number): Promise<void> {
  const record = shelf.records.get(tokenKey(tokens[at]?.id ?? ''))
  if (record?.kind === 'token') await store.write({ put: [{ ...record, revoked: true }] }, [])
}

function isLive({ shelf, clock }: World, at: number): boolean {
  const record = shelf.records.get(tokenKey(tokens[at]?.id ?? ''))
  return record?.kind === 'token' && record.revoked !== true && clock.now() < record.until
}

function byOf({ token: at }: Call) {
  return tokens[at]?.by ?? { team: '', user: '' }
}

/** Returns what the door would prove. It also does so for a revoked token, which is then refused further inside. */
function throughOf({ token: at, door }: Call) {
  return door === 'slack' ? { token: 'chat', name: 'Slackbot' } : { token: tokens[at]?.id ?? '', name: `program ${at}` }
}

function count(what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

/** Each seed plays 1,000 sequences, or 10,000 in `npm run test:faults`. */
const seeds = Array.from({ length: tries(10, 10) }, (_, at) => at + 1)

test.each(seeds)('no line from a program is carried out without a person’s press (seed %d)', async (seed) => {
  const sequences = fc.array(acts, { minLength: 5, maxLength: 40, size: 'max' })
  await fc.assert(fc.asyncProperty(policies, sequences, play), { seed, numRuns: tries(1_000, 8) })
})

const doorNames = ['http', 'mcp', 'slack'].flatMap((door) => [`answered by ${door}`, `refused by ${door}`])

test.each([
  'accepted',
  'called',
  'done',
  'changed',
  'begun',
  'begun for Slackbot',
  'refused: not allowed',
  'refused: other line',
  ...doorNames,
])('the sequences often reached: %s', (what) => expect(tally.get(what) ?? 0).toBeGreaterThan(5))
