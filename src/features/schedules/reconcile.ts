import { buttonTo } from '../../core/commands/phrases.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { keyOf, type ReconcileState } from '../../core/model/records.ts'
import { isAutomatic, isEnded, type Request } from '../../core/model/request.ts'
import { isSame, policyFile } from '../../core/model/roles.ts'
import { mostAttempts, type Rules } from '../../core/model/rules.ts'
import { idOf, say } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { requestPhrase } from '../../core/requests/in-words.ts'
import { ruleRequestId } from '../../core/requests/receive.ts'
import { countTries, gaveWay, isPending, isStillDue, refreshAnnounced, withdraw } from './announced.ts'
import { applySkip, holdMoved } from './console-changes.ts'
import { handIn, heldUntilOf, noteOnKept } from './hand-in.ts'
import { attemptsOf, type EndpointLook, type FoundDifference, isNew, ownerOf, saveState } from './look.ts'
import { noteMissed, type ToAnnounce } from './missed.ts'
import { type Decider, desired, occurrenceOf } from './rules/desired-state.ts'
import type { DueChange } from './rules/reconcile-decision.ts'

/** The pause before the second attempt, ms. It doubles with each further one. */
const backOff = 120_000

/** Acts on a look and saves its state. Waits for no announcement, as Slack may be slow; some are left to `later`. */
export async function carryOut(services: Services, look: EndpointLook, later: ToAnnounce): Promise<void> {
  const { endpoint, what, reconcileState, occurrence, now } = look
  const asked = reconcileState?.state === 'asked' ? await refreshAnnounced(services, endpoint, reconcileState) : null
  if (asked === 'unsure') return
  if (reconcileState !== undefined && asked !== null && reconcileState.occurrence !== occurrence) {
    // Nothing else is saved while the announced change is still due, or until it is withdrawn.
    if (isStillDue(look, reconcileState, asked) || !(await withdraw(services, look, asked))) return
    if (await isSkipTaken(services, look, reconcileState, asked)) return
  }
  if (what.kind === 'forget') return saveState(services, endpoint.id, null)
  if (occurrence === null) {
    // A hold or a freeze pauses the change; the state counts again afterwards.
    if (reconcileState !== undefined && what.kind === 'note')
      await saveState(services, endpoint.id, { ...reconcileState, state: 'held', at: now })
    return
  }
  if (reconcileState !== undefined && what.kind !== 'nothing' && what.kind !== 'follow')
    await noteOnKept(services, ruleRequestId(services, reconcileState.occurrence, reconcileState.attempts), now)
  const found = { ...look, occurrence }
  switch (what.kind) {
    case 'nothing':
      return
    case 'note':
      if (asked !== null && reconcileState?.occurrence === occurrence && isPending(asked, now)) return
      return saveState(services, endpoint.id, { occurrence, state: what.state, attempts: attemptsOf(found), at: now })
    case 'follow':
      return followUp(services, found, what, { request: asked, later })
    case 'missed':
      // A start that the policy file asked for only after its time was not missed.
      if (isNew(found, what.nominal) && isSame(ownerOf(what.by), policyFile)) return
      return void later.starts.push(await noteMissed(services, found, what))
    case 'moved':
      return holdMoved(services, found, what, later)
    case 'ask':
      return handInChange(services, found, what, attemptsOf(found))
  }
}

/** Stores a skip that a person pressed while the rules were paused, or after others had stopped the endpoint. */
async function isSkipTaken(services: Services, look: EndpointLook, state: ReconcileState, asked: Request) {
  if (!(await applySkip(services, { ...look, occurrence: state.occurrence }, asked))) return false
  await saveState(services, look.endpoint.id, { ...state, state: 'held', at: look.now })
  return true
}

/** Checks what became of the `request` that was handed in; null if it is lost. */
async function followUp(
  services: Services,
  found: FoundDifference,
  asking: DueChange,
  { request, later }: { readonly request: Request | null; readonly later: ToAnnounce },
) {
  const { endpoint, reconcileState, now } = found
  if (reconcileState === undefined) return
  if (request !== null && !isEnded(request.status)) return
  const { at = now, holds } = request?.ending ?? {}
  if (request?.status === 'succeeded' || (holds === true && at >= (request?.ask?.due ?? asking.nominal)))
    return saveState(services, endpoint.id, { ...reconcileState, state: 'met', at })
  // A person's request took its place, or had the endpoint first. Once that has ended, the change is handed in again.
  if (gaveWay(request)) return handInChange(services, found, asking, reconcileState.attempts)
  // Anything else was applied, or a person declined it.
  if (request !== null && !['failed', 'refused', 'expired'].includes(request.status)) {
    // A freeze that a stop met when it was due only puts it off.
    const isPaused = idOf(request.ending?.says ?? '') === 'skip.frozen' || (await applySkip(services, found, request))
    const state = isPaused ? 'held' : 'left'
    // Nobody knows what an unclear call did, so a person has to look.
    const unclear = request.status === 'attention' && { again: null }
    return saveState(services, endpoint.id, { ...reconcileState, state, at: now, ...unclear })
  }
  const { by, want } = asking
  // Whoever asked for a run sees that it failed, and decides.
  if (request !== null && by.kind === 'once' && want === 'up')
    return services.store.write({ drop: [keyOf(by)] }, [{ at: now, what: 'spent' }])
  const tries = await countTries(services, reconcileState)
  if (tries >= mostAttempts) {
    await saveState(services, endpoint.id, { ...reconcileState, state: 'left', at: now, again: null })
    return void later.givenUp.push(gaveUp(endpoint, asking, request))
  }
  const again = (request?.ending?.at ?? reconcileState.at) + backOff * 2 ** (tries - 1)
  // Nothing was tried if the request was never stored.
  if (request !== null && now < again) return saveState(services, endpoint.id, { ...reconcileState, again })
  await handInChange(services, found, asking, reconcileState.attempts)
}

function gaveUp(endpoint: Endpoint, { want, by }: DueChange, last: Request | null) {
  const owner = ownerOf(by)
  const who = isSame(owner, policyFile) ? 'none' : { person: owner }
  const says = say('rule.gaveUp', { tries: mostAttempts, name: endpoint.name, want, rule: by.kind, by: who })
  // Without a plan it had no card that says why.
  const why = last?.plan === undefined ? (last?.ending?.says ?? '') : ''
  return { says: why === '' ? says : [says, why], offer: buttonTo(want === 'up' ? 'start' : 'stop', endpoint) }
}

async function handInChange(services: Services, found: FoundDifference, asking: DueChange, attempts: number) {
  if (asking.tooLate === true) return
  const { announce, commands } = services
  const { endpoint, occurrence, reconcileState, now } = found
  const heldUntil = heldUntilOf(found, asking)
  const known = { ...beforeOf(found), heldUntil }
  const holder = await services.store.holderOf(endpoint.id)
  if (holder !== null) {
    const isSaid = reconcileState?.state === 'waits' && reconcileState.occurrence === occurrence
    if (isSaid || desired(found.rules, now).want !== asking.want) return
    await saveState(services, endpoint.id, { occurrence, state: 'waits', attempts, at: now, ...known })
    const other = await services.store.load(holder)
    // A request that does the same needs no announcement once people have agreed to it.
    const isSame = other !== null && commands.operation(other.line).row.wants === asking.want
    if (other === null || isAutomatic(other) || (isSame && other.status === 'running')) return
    return void announce([
      say('rule.waits', { name: endpoint.name, want: asking.want, line: requestPhrase(commands, other) }),
    ])
  }
  const attempt = await freeAttempt(services, occurrence, attempts + 1)
  await saveState(services, endpoint.id, { occurrence, state: 'asked', attempts: attempt, at: now, ...known })
  await handIn(services, { ...found, attempt, ...asking, heldUntil, by: whoseHoursEnd(found.rules, asking) })
}

/** Returns what causes a change: of several schedules, the one whose hours end with a stop. */
function whoseHoursEnd(rules: Rules, { want, by, nominal }: DueChange): Decider {
  if (want !== 'down' || by.kind !== 'weekly' || by.direction !== 'up') return by
  const { want: was, by: before } = desired(rules, nominal - 1)
  return was === 'up' && before.kind === 'weekly' ? before : by
}

/** Returns the hours in which an endpoint runs. They count as met until a stop announced ahead of its time is due. */
function beforeOf({
  endpoint,
  occurrence,
  reconcileState,
  rules,
  now,
}: FoundDifference): Pick<ReconcileState, 'before'> {
  const current = desired(rules, now)
  const isMet = endpoint.active === true && current.want === 'up'
  const known = reconcileState?.occurrence === occurrence ? reconcileState.before : undefined
  const before = isMet ? occurrenceOf(endpoint.id, current) : known
  return before === undefined ? {} : { before }
}

/** Returns the first attempt whose request has not ended, because the state may be lost while the requests are not. */
async function freeAttempt(services: Services, occurrence: string, from: number): Promise<number> {
  for (let attempt = from; ; attempt += 1) {
    const request = await services.store.load(ruleRequestId(services, occurrence, attempt))
    if (request === null || !isEnded(request.status)) return attempt
  }
}
