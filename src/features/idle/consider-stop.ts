import { isSame, policyFile } from '../../core/model/actor.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { isMark } from '../../core/model/reading.ts'
import { lockdownIn, type Pursuit } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { fewest, type Watched } from '../../core/ports/metrics.ts'
import type { House } from '../../core/ports/services.ts'
import { mayAct } from '../../core/requests/authorize.ts'
import { lasting } from '../../core/time/format.ts'
import { costsOf } from '../savings/cost.ts'
import { pricesNow } from '../savings/prices.ts'
import { idOf } from '../schedules/hand-in.ts'
import { lineWatching } from '../schedules/rule-lines.ts'
import { type Idler, idlerOf, idlingKey, type Known, knownNow, noteFloors } from './candidate.ts'
import { noteRegret } from './early-stops.ts'
import { followUp, note } from './follow-up.ts'
import { idleWords, unknownForLong } from './idle-clock.ts'
import { remedyFor } from './usage-text.ts'

/** Sees which endpoints have been idle for long enough, tells people, and takes back what is in use again. */
export async function considerIdle(
  house: House,
  active: readonly Endpoint[],
  watched: ReadonlyMap<string, Watched>,
): Promise<void> {
  const unfloored = await knownNow(house)
  if (lockdownIn(unfloored.records) !== null) return
  const known = await noteFloors(house, unfloored, active)
  for (const endpoint of active) {
    const seen = watched.get(endpoint.id)
    const idler = seen === undefined ? null : await idlerWhole(house, known, endpoint, seen)
    const pursuit = known.pursuits.get(idlingKey(endpoint.id))
    if (pursuit?.state === 'asked') await followUp(house, endpoint, idler, pursuit)
    else if (idler !== null) await consider(house, known, idler)
  }
}

/** Where the newest segments do not reach back far enough, all of them are read. */
async function idlerWhole(house: House, known: Known, endpoint: Endpoint, seen: Watched): Promise<Idler | null> {
  const idler = idlerOf(known, endpoint, seen)
  const [first] = seen.segments
  if (idler === null || first === undefined || seen.segments.length < fewest) return idler
  if (first.from <= seen.at - idler.idleMs && seen.segments.some(isMark)) return idler
  const whole = await house.store.watchedOf(endpoint.id)
  return whole === null ? idler : idlerOf(known, endpoint, whole)
}

async function consider(house: House, known: Known, idler: Idler): Promise<void> {
  const { endpoint, rule, clock, watched, occurrence, spared, pursuit } = idler
  if (pursuit?.state === 'met') await noteRegret(house, known, idler)
  if (spared !== null) return
  await tellUnknown(house, known, idler)
  const last = watched.segments.at(-1)
  const isTold = pursuit?.occurrence === occurrence && pursuit.state !== 'held'
  if (!clock.candidate || last === undefined || isTold) return
  const words = idleWords(clock, last.evidence)
  if (rule.mode === 'try') {
    await note(house, endpoint, { ...counted(idler), state: 'met', attempts: 0 })
    return void house.announce(`${endpoint.name} would be stopped now: ${words}. Its idle watch only tries.`, [
      { label: `Stop ${endpoint.name}`, line: house.commands.write('stop', { endpoint: endpoint.id }) },
      { label: 'Stop it when idle', line: lineWatching(rule, house.commands.write, 'on') },
    ])
  }
  // Whoever is at it now decides; if it is idle still, the next look comes back to it.
  if ((await house.store.holderOf(endpoint.id)) !== null || !(await hasOwner(house, known, idler))) return
  await handIn(house, idler, `${words}.${regretted(idler)}`)
}

function regretted({ sorry, idleMs }: Idler): string {
  if (sorry === 0) return ''
  const times = sorry === 1 ? 'once' : `${sorry} times`
  return ` Its idle time is ${lasting(idleMs)} by now, since it was started again soon after such a stop ${times}.`
}

/** A rule acts for whoever made it; without anybody it rests, which is said once. */
async function hasOwner(house: House, known: Known, { rule, endpoint }: Idler): Promise<boolean> {
  const { owner } = rule
  if (isSame(owner, policyFile)) return true
  const standing = await mayAct(house, owner, { channel: '', chosen: true }, 'operator')
  if (standing.kind === 'may') return true
  if (standing.unsure === true) return false
  const says = `${endpoint.name} is idle and stays up: its idle watch rests, since whoever set it may not operate here any more.`
  await tellOnce(house, known, `idle owner ${endpoint.id}`, `${owner.user} ${rule.at}`, says, [
    { label: `Take over ${endpoint.name}`, line: lineWatching(rule, house.commands.write) },
  ])
  return false
}

/** Stored before it is noted: the same stretch of quiet is the same request, however often it is handed in. */
async function handIn(house: House, idler: Idler, reason: string): Promise<void> {
  const { endpoint, rule, occurrence, pursuit, now } = idler
  const channel = house.operationsChannel()
  if (channel === undefined) return
  const due = now + rule.warn
  const attempts = pursuit?.occurrence === occurrence ? pursuit.attempts + 1 : 1
  const request: Request = {
    id: idOf(house, occurrence, attempts),
    project: house.project,
    kind: 'operation',
    line: house.commands.write('stop', { endpoint: endpoint.id }),
    actor: rule.owner,
    place: { channel, chosen: true },
    via: 'idle',
    occurrence,
    due,
    reason,
    ...(await leaving(house, idler, due)),
    receivedAt: now,
    status: 'received',
    notes: [],
    nextAt: now,
  }
  await house.store.receive(request, undefined)
  await note(house, endpoint, { ...counted(idler), state: 'asked', attempts })
  await house.queue.wake(request, '0').catch(() => undefined)
}

/** It counts from there as long as this stretch of quiet lasts, whatever else is forgotten meanwhile. */
function counted({ occurrence, clock: { since }, pursuit, now }: Idler): Omit<Pursuit, 'state' | 'attempts'> {
  return { occurrence, at: now, since, ...(pursuit?.after !== undefined && { after: pursuit.after }) }
}

/** What it costs to leave it up; skipped, it takes another idle time of quiet. A morning is the team's or the owner's. */
async function leaving(
  house: House,
  { endpoint, rule, idleMs, now }: Idler,
  due: number,
): Promise<Pick<Request, 'costs'>> {
  const { automation, bounds } = house.policy()
  const prices = await pricesNow(house)
  const owner = isSame(rule.owner, policyFile) ? null : await house.people.zoneOf(rule.owner)
  const costs = costsOf(prices, endpoint, {
    now,
    due,
    until: due + idleMs,
    up: null,
    zone: automation.zone ?? owner,
    keep: bounds.keep,
  })
  return { costs }
}

/** After a day without knowing, people are told once what is missing. */
async function tellUnknown(house: House, known: Known, { endpoint, watched, now }: Idler): Promise<void> {
  const long = unknownForLong(watched.segments, now)
  if (long === null) return
  const last = watched.segments.at(-1)
  const remedy = last === undefined ? '' : remedyFor(last.evidence)
  const says = `Whether ${endpoint.name} is idle has not been known for a day: ${long.missing}.${remedy} It is not stopped.`
  await tellOnce(house, known, `unknown ${endpoint.id}`, String(long.since), says)
}

/** Says something in the operations channel once for each `of`. */
async function tellOnce(
  house: House,
  { pursuits, now }: Known,
  key: string,
  of: string,
  says: string,
  offers: readonly Offer[] = [],
): Promise<void> {
  if (pursuits.get(key)?.occurrence === of) return
  await house.store.notePursuits(new Map([[key, { occurrence: of, state: 'left', attempts: 0, at: now }]]))
  // It is tried for a while, and the next endpoint need not wait for that.
  void house.announce(says, offers)
}
