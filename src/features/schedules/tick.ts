import type { Endpoint } from '../../core/model/endpoint.ts'
import { Newer } from '../../core/model/formats.ts'
import { endpointKey, isOwned, lockdownIn, type ReconcileState } from '../../core/model/records.ts'
import type { Rules } from '../../core/model/rules.ts'
import type { Words } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { endRemoved } from './announced.ts'
import { closeAnswered, endedHold } from './console-changes.ts'
import { announceRemoved, dropExpired, ownersWithoutRole } from './housekeeping.ts'
import { attemptsOf, type EndpointLook, type LookContext, lastLookIn, lookedAt, saveState, saveStates } from './look.ts'
import { announceMissed, announceTogether, missedWhileDown, type ToAnnounce } from './missed.ts'
import { carryOut } from './reconcile.ts'
import { desired } from './rules/desired-state.ts'
import { type CurrentDecision, currentDecisionOf, reconcileAction } from './rules/reconcile-decision.ts'
import { bookFor, rulebookOf } from './rules/rulebook.ts'

/** Longer than a look at ten thousand endpoints takes, ms. */
const turnLife = 60_000
/** Endpoints handled before other work of this process gets a turn. */
const inOneGo = 250
/** The longest time between two looks while a worker runs, ms. */
const longestGap = 90_000

interface TickResult {
  /** False if another worker has the turn, the platform does not answer, or some endpoints failed. */
  readonly looked: boolean
  /** Absent if no endpoint was looked at. */
  readonly at?: LookContext
}

/** Compares every endpoint with its rules, and hands in the differences. Any process may call it, late or twice. */
export async function tick(services: Services): Promise<TickResult> {
  const records = await services.store.records()
  if (lockdownIn(records) !== null) return { looked: true }
  const isRuled = [...records.values()].some((one) => isOwned(one) || one.kind === 'hold')
  if (!isRuled && services.policy().automation.team.length === 0) {
    const states = await services.store.reconcileStates()
    // The last rule may have been removed after its stop was announced, and a pause may be over.
    if (![...states.values()].some(isUnderWay)) {
      // A rule made later has no say about the time before it.
      if (lastLookIn(states) !== undefined) await saveState(services, ...lookedAt(services.clock.now()))
      return { looked: true }
    }
  }
  const giveBack = await services.store.takeTurn('rules', turnLife)
  if (giveBack === null) return { looked: false }
  try {
    return await lookAtAll(services)
  } finally {
    await giveBack()
  }
}

function isUnderWay({ state, at, since = 0 }: ReconcileState): boolean {
  return state === 'asked' || state === 'waits' || (state === 'left' && since > at)
}

/** Reads everything again, because the process that had the turn before may have changed it. */
async function lookAtAll(services: Services): Promise<TickResult> {
  const now = services.clock.now()
  const [records, reconcileStates] = await Promise.all([services.store.records(), services.store.reconcileStates()])
  const outcome = await services.platform.list()
  if (outcome.kind !== 'answered') return { looked: false }
  const listed = outcome.answer
  const { absent, unsure } = await ownersWithoutRole(services, records, reconcileStates, listed)
  const policy = services.policy()
  const all = bookFor(services, records)
  const book = absent.size === 0 ? all : rulebookOf(records, policy, now, absent)
  // Without the rules of the `unsure` owners too.
  const certain = unsure.size === 0 ? book : rulebookOf(records, policy, now, new Set([...absent, ...unsure]))
  const lastLook = lastLookIn(reconcileStates)
  const wasDown = lastLook !== undefined && now - lastLook > longestGap
  // When windows begin, most endpoints are as wanted and need only a new state; all of those go into one write.
  const met = new Map([lookedAt(now)])
  const missed: Words[] = []
  const later: ToAnnounce = { moved: [], starts: [], givenUp: [] }
  const endedHolds: string[] = []
  let hasFailed = false
  for (const [nth, endpoint] of listed.entries()) {
    if (nth % inOneGo === inOneGo - 1) await new Promise((resolve) => setImmediate(resolve))
    const rules = book.of(endpoint)
    const ended = rules.holds.length === 0 ? null : endedHold(endpoint, rules, now)
    if (ended !== null) {
      endedHolds.push(endpointKey('hold', ended.endpoint))
      continue
    }
    const current = currentOf(endpoint, rules)
    if (current === null) continue
    const says = wasDown ? missedWhileDown(endpoint, rules, current.decision, lastLook) : null
    const look = certainly(lookAt(endpoint, rules, current))
    // Outside the hours of a rule that only stops, there is nothing to pursue.
    if (says !== null && (look === null || look.occurrence === null)) missed.push(says)
    if (look === null) continue
    const state = metState(look)
    if (state === null) {
      const mayForget = absent.size === 0 || !all.own.has(endpoint.id)
      if (!(await carriedOut(services, mayForget ? look : remembering(look), later))) hasFailed = true
      continue
    }
    met.set(endpoint.id, state)
    if (says !== null) missed.push(says)
  }
  await saveStates(services, met)
  if (endedHolds.length > 0)
    await services.store.write({ drop: endedHolds }, [{ at: now, what: 'as its rules want it again' }])
  const at: LookContext = { records, policy, book: all, acting: book, reconcileStates, now, listed }
  await closeAnswered(services, at)
  await announceTogether(services, later)
  await announceMissed(services, missed, lastLook ?? now)
  for (const settle of [dropExpired, endRemoved, announceRemoved]) await settle(services, at)
  // Looks again at the endpoints that were held, and closes the announcements of their holds.
  if (endedHolds.length > 0) services.soon()
  return { looked: !hasFailed, at }

  /** Begins nothing that depends on whether rules of unsure owners count. A later look decides. */
  function certainly(look: EndpointLook | null): EndpointLook | null {
    if (look === null || !('by' in look.what)) return look
    const { endpoint, rules, what } = look
    if (![...rules.weekly, ...rules.once].some(({ owner }) => unsure.has(owner.user))) return look
    // What was announced is checked again when it is due.
    if (what.kind === 'follow' && what.want === 'down') return null
    const due = 'due' in what ? what.due : now
    const sure = certain.of(endpoint)
    const isAgreed = [now, due].every((at) => desired(sure, at).want === desired(rules, at).want)
    return isAgreed ? lookAt(endpoint, sure, currentOf(endpoint, sure)) : null
  }

  /** Returns null if there is nothing to pursue. */
  function currentOf({ id, active }: Endpoint, rules: Rules): CurrentDecision | null {
    const isFree = rules.weekly.length + rules.once.length + rules.holds.length === 0
    return active === null || (isFree && !reconcileStates.has(id)) ? null : currentDecisionOf(id, rules, now)
  }

  /** Returns null if there is nothing to do, as for most endpoints most of the time. */
  function lookAt(endpoint: Endpoint, rules: Rules, current: CurrentDecision | null): EndpointLook | null {
    const { id, active } = endpoint
    const [reconcileState, { notice }] = [reconcileStates.get(id), policy.automation]
    if (active === null || current === null) return null
    const outcome = reconcileAction(current, active, now, notice, reconcileState)
    return outcome.what.kind === 'nothing' ? null : { ...outcome, endpoint, reconcileState, rules, now, lastLook }
  }
}

/** Returns false on an error, so that the other endpoints go on. */
async function carriedOut(services: Services, look: EndpointLook, later: ToAnnounce): Promise<boolean> {
  try {
    await carryOut(services, look, later)
    return true
  } catch (err) {
    const { id } = look.endpoint
    if (err instanceof Newer) services.left.note(id, err)
    else services.log.error({ err, endpoint: id }, 'could not apply the schedule or idle stop of an endpoint')
    return false
  }
}

/** Returns the new state of an endpoint that needs nothing else; otherwise null. */
function metState(look: EndpointLook): ReconcileState | null {
  const { occurrence, what, reconcileState, now } = look
  if (occurrence === null || what.kind !== 'note' || what.state !== 'met' || reconcileState?.state === 'asked')
    return null
  return { occurrence, state: 'met', attempts: attemptsOf(look), at: now }
}

/** Keeps the state of resting rules, because their owner may be unavailable only for a moment. */
function remembering(look: EndpointLook): EndpointLook {
  if (look.what.kind !== 'forget') return look
  const isPaused = look.reconcileState !== undefined && isUnderWay(look.reconcileState)
  return { ...look, what: isPaused ? { kind: 'note', state: 'held' } : { kind: 'nothing' } }
}
