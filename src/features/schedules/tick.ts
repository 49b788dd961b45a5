import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import { holdKey, lockdownIn, type Pursuit, type Records } from '../../core/model/records.ts'
import type { Rules } from '../../core/model/rules.ts'
import type { House } from '../../core/ports/services.ts'
import { closeAnswered, endedHold } from './console-changes.ts'
import { dropSpent, sleptThrough, tellMissed, tellOfGone } from './housekeeping.ts'
import type { Looked } from './look.ts'
import { absentOwners } from './owners.ts'
import { act } from './reconcile.ts'
import { bookFor, decidedFor } from './rulebook-cache.ts'
import { decide, pursue } from './rules/reconcile-decision.ts'
import type { Rulebook } from './rules/rulebook.ts'

/** What is noted of the last look itself. */
const looking = 'look'

/** Longer than a look takes even over ten thousand endpoints. ms. */
const turnLife = 60_000

/** What one look was taken on. `now`: ms since 1970. */
export interface LookedAt {
  readonly records: Records
  readonly policy: Policy
  readonly book: Rulebook
  readonly pursuits: ReadonlyMap<string, Pursuit>
  readonly now: number
  readonly listed: readonly Endpoint[]
}

export interface TickResult {
  /** False: the rules were not looked through; another worker does it, the platform does not answer, or some failed. */
  readonly looked: boolean
  /** For whoever follows up with the same records; absent where no endpoint was looked at. */
  readonly at?: LookedAt
}

/**
 * Looks all rules through: what should be up or down now, and what differs. Any number of processes may call it at any
 * time, late, or twice: one at a time has the turn, and what is handed in has an id made of what it is. Done each
 * minute, and whenever a rule has changed.
 */
export async function tick(house: House): Promise<TickResult> {
  const records = await house.store.records()
  if (lockdownIn(records) !== null) return { looked: true }
  const { automation } = house.policy()
  const ruled = automation.team.length > 0 || bookFor(house, records).own.size > 0
  // The last rule may have been taken away while a notice of it stands.
  if (!ruled && !(await isUnderWay(house))) return { looked: true }
  const giveBack = await house.store.takeTurn('rules', turnLife)
  if (giveBack === null) return { looked: false }
  try {
    return await lookThrough(house)
  } finally {
    await giveBack()
  }
}

async function isUnderWay(house: House): Promise<boolean> {
  return [...(await house.store.pursuits()).values()].some(({ state }) => state === 'asked' || state === 'waits')
}

/** Everything is read once the turn is ours: whoever had it before may have changed it. */
async function lookThrough(house: House): Promise<TickResult> {
  const [now, records, pursuits] = [house.clock.now(), await house.store.records(), await house.store.pursuits()]
  const listed = await house.platform.list()
  if (listed.kind !== 'answered') {
    house.log.warn({ project: house.project, why: listed.says }, 'the rules could not be looked through')
    return { looked: false }
  }
  const resting = await absentOwners(house, records, pursuits, listed.answer)
  const [all, book] = [bookFor(house, records), bookFor(house, records, resting)]
  const policy = house.policy()
  const { notice } = policy.automation
  const lastLook = pursuits.get(looking)?.at
  // Where windows begin nearly everything is as wanted and takes only a note, so that is written in one.
  const met = new Map<string, Pursuit>([[looking, { occurrence: looking, state: 'met', attempts: 0, at: now }]])
  const missed: string[] = []
  const back: string[] = []
  let broken = 0
  for (const [nth, endpoint] of listed.answer.entries()) {
    // Where much has to be computed, whoever else is served by this process is served in between.
    if (nth % inOneGo === inOneGo - 1) await new Promise((resolve) => setImmediate(resolve))
    const rules = book.of(endpoint)
    const over = rules.holds.length === 0 ? null : endedHold(endpoint, rules, now)
    if (over !== null) back.push(holdKey(over.endpoint))
    const looked = over === null ? look(endpoint, rules, now, notice, pursuits.get(endpoint.id)) : null
    if (looked === null) continue
    const asWanted = metIn(looked)
    const slept = asWanted === null ? null : sleptThrough(looked, lastLook)
    if (slept !== null) missed.push(slept)
    if (asWanted !== null) met.set(endpoint.id, asWanted)
    else if (!(await followed(house, resting.size > 0 && all.own.has(endpoint.id) ? patient(looked) : looked)))
      broken += 1
  }
  await noteAll(house, met)
  if (back.length > 0) await house.store.write({ drop: back }, [{ at: now, what: 'as its rules want it again' }])
  const at = { records, policy, book: all, pursuits, now, listed: listed.answer }
  await closeAnswered(house, at)
  await tellMissed(house, missed, lastLook ?? now)
  await dropSpent(house, book, listed.answer, now)
  await tellOfGone(house, book, listed.answer, pursuits)
  // What is free of a hold is looked at again, and what was told of it is closed.
  if (back.length > 0) house.soon()
  return { looked: broken === 0, at }
}

/** What goes wrong about one endpoint keeps nobody from the next. */
async function followed(house: House, looked: Looked): Promise<boolean> {
  try {
    await act(house, looked)
    return true
  } catch (err) {
    house.log.error({ err, endpoint: looked.endpoint.id }, 'the rules of an endpoint could not be followed')
    return false
  }
}

/** Null where there is nothing to do: most endpoints, most of the time. */
function look(
  endpoint: Endpoint,
  rules: Rules,
  now: number,
  notice: number,
  pursuit: Pursuit | undefined,
): Looked | null {
  const { id, active } = endpoint
  const isFree = rules.weekly.length + rules.once.length + rules.holds.length === 0
  // A state nobody knows is nothing to act on.
  if (active === null || (isFree && pursuit === undefined)) return null
  if (pursue(decidedFor(id, rules, now), active, now, notice, pursuit).what.kind === 'nothing') return null
  // Who decides may have changed since that was found out; what is decided has not.
  const { occurrence, what } = pursue(decide(id, rules, now), active, now, notice, pursuit)
  return { endpoint, occurrence, what, pursuit, rules, now }
}

/** What is as wanted and takes only a note. */
function metIn({ occurrence, what, pursuit, now }: Looked): Pursuit | null {
  if (occurrence === null || what.kind !== 'note' || what.state !== 'met' || pursuit?.state === 'asked') return null
  const attempts = pursuit?.occurrence === occurrence ? pursuit.attempts : 0
  return { occurrence, state: 'met', attempts, at: now }
}

/** Endpoints between two breaths. */
const inOneGo = 250
/** A single write takes no more than a driver and Redis can hold at once. */
const inOneWrite = 1_000

async function noteAll(house: House, notes: ReadonlyMap<string, Pursuit>): Promise<void> {
  const all = [...notes]
  for (let from = 0; from < all.length; from += inOneWrite)
    await house.store.notePursuits(new Map(all.slice(from, from + inOneWrite)))
}

/** What rests for a while is not forgotten: whoever made it may only be out of sight. */
function patient(looked: Looked): Looked {
  const { what, pursuit } = looked
  if (what.kind !== 'forget') return looked
  const isUnderWay = pursuit?.state === 'asked' || pursuit?.state === 'waits'
  return { ...looked, what: isUnderWay ? { kind: 'note', state: 'held' } : { kind: 'nothing' } }
}
