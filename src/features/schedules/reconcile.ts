import type { Pursuit } from '../../core/model/records.ts'
import { isAutomatic, isEnded, type Request } from '../../core/model/request.ts'
import type { House } from '../../core/ports/services.ts'
import { claimOther, holding } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'
import { missed, moved, skipped } from './console-changes.ts'
import { handIn, idOf } from './hand-in.ts'
import { attemptsOf, type Found, type Looked, leftAs, note } from './look.ts'
import type { Asking } from './rules/reconcile-decision.ts'

/** How often something that failed without effect is tried in all, and how long after, doubling. ms. */
const mostAttempts = 3
const backOff = 120_000

/** Does what a look has found, and notes how far that has come. What is said is not waited for: Slack may be slow. */
export async function act(house: House, looked: Looked): Promise<void> {
  const { endpoint, what, pursuit, occurrence, now } = looked
  // Until it is taken back nothing else is noted, so that each look tries again.
  if (pursuit?.state === 'asked' && pursuit.occurrence !== occurrence && !(await withdraw(house, looked, pursuit)))
    return
  if (what.kind === 'forget') return note(house, endpoint, null)
  if (occurrence === null) {
    // Something stands in its way: it counts again when that is gone.
    if (pursuit !== undefined && what.kind === 'note')
      await note(house, endpoint, { ...pursuit, state: 'held', at: now })
    return
  }
  const found = { ...looked, occurrence }
  switch (what.kind) {
    case 'nothing':
      return
    case 'note':
      return note(house, endpoint, { occurrence, state: what.state, attempts: attemptsOf(found), at: now })
    case 'follow':
      return followUp(house, found, what)
    case 'missed':
      return missed(house, found, what)
    case 'moved':
      return moved(house, found, what)
    case 'ask':
      return ask(house, found, what, attemptsOf(found))
  }
}

/** What a request for it has come to. */
async function followUp(house: House, found: Found, asking: Asking): Promise<void> {
  const { endpoint, pursuit, now } = found
  if (pursuit === undefined) return
  const request = await house.store.load(idOf(house, pursuit.occurrence, pursuit.attempts))
  if (request !== null && !isEnded(request.status)) return
  // What succeeded shows in what is read next; whoever moves it from now on does so after us.
  if (request?.status === 'succeeded')
    return note(house, endpoint, { ...pursuit, state: 'met', at: request.ending?.at ?? now })
  if (request !== null && !mayTryAgain(request)) {
    const state = (await skipped(house, found, request)) ? 'held' : 'left'
    return note(house, endpoint, { ...pursuit, state, at: now })
  }
  // A person's request that is over decides nothing about what the rules still want: people are told anew.
  if (request?.ending?.takenBy !== undefined) return ask(house, found, asking, pursuit.attempts)
  const tries = await triesOf(house, pursuit)
  if (tries >= mostAttempts) {
    await note(house, endpoint, { ...pursuit, state: 'left', at: now })
    const says = `I have tried ${mostAttempts} times, and ${endpoint.name} is still not as its rules want it. I try no further until they next change their mind.`
    return void house.announce(says)
  }
  if (now < (request?.ending?.at ?? pursuit.at) + backOff * 2 ** (tries - 1)) return
  await ask(house, found, asking, pursuit.attempts)
}

/** Requests handed in for it, without those that gave way to somebody's. */
async function triesOf(house: House, { occurrence, attempts }: Pursuit): Promise<number> {
  const earlier = await Promise.all(
    Array.from({ length: attempts }, (_, nth) => house.store.load(idOf(house, occurrence, nth + 1))),
  )
  return earlier.filter((request) => request?.ending?.takenBy === undefined).length
}

/** Only after what gave way to somebody's request, or certainly was not applied, and nobody has said no to. */
function mayTryAgain({ status, ending }: Request): boolean {
  if (ending?.takenBy !== undefined) return true
  return status === 'failed' || status === 'refused' || status === 'expired'
}

async function ask(house: House, found: Found, asking: Asking, attempts: number): Promise<void> {
  const { endpoint, occurrence, pursuit, now } = found
  const before = beforeOf(found)
  const holder = await house.store.holderOf(endpoint.id)
  if (holder !== null) {
    if (pursuit?.state === 'waits' && pursuit.occurrence === occurrence) return
    await note(house, endpoint, { occurrence, state: 'waits', attempts, at: now, ...before })
    const other = await house.store.load(holder)
    if (other === null || isAutomatic(other)) return
    return void house.announce(
      `${endpoint.name} is to be ${asking.want} by its rules; that waits for “${house.commands.called(other.line, other.endpoint)}”.`,
    )
  }
  const attempt = await freeAttempt(house, occurrence, attempts + 1)
  await note(house, endpoint, { occurrence, state: 'asked', attempts: attempt, at: now, ...before })
  await handIn(house, { ...found, attempt, ...asking })
}

/** A stop asked for ahead of its time does not end what was met until then. */
function beforeOf({ occurrence, pursuit }: Found): Pick<Pursuit, 'before'> {
  if (pursuit === undefined) return {}
  const before =
    pursuit.occurrence === occurrence ? pursuit.before : pursuit.state === 'met' ? pursuit.occurrence : undefined
  return before === undefined ? {} : { before }
}

/** What was forgotten here has not been forgotten there: a request that is over is not handed in twice. */
async function freeAttempt(house: House, occurrence: string, from: number): Promise<number> {
  let attempt = from
  for (;;) {
    const request = await house.store.load(idOf(house, occurrence, attempt))
    if (request === null || !isEnded(request.status)) return attempt
    attempt += 1
  }
}

/**
 * Takes back a notice whose time will not come: a hold, a freeze or another rule has overtaken it. False: its request is
 * not over yet; somebody may be at it this moment.
 */
async function withdraw(house: House, looked: Looked, { occurrence, attempts }: Pursuit): Promise<boolean> {
  const id = idOf(house, occurrence, attempts)
  const request = await house.store.load(id)
  if (request === null || isEnded(request.status)) return true
  if (request.status !== 'awaiting' || request.requirement !== 'notice') return false
  const other = await claimOther(house.store, id)
  if (other === null) return false
  return holding(house, other, async () => {
    if (other.request.status !== 'awaiting') return isEnded(other.request.status)
    const left = leftAs(other.request.endpoint?.name ?? 'It', looked.rules, looked.now)
    await end(house, other, 'cancelled', left)
    return true
  })
}
