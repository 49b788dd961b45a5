import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Offer } from '../../core/model/query-answer.ts'
import { endpointKey, keyOf, type ReconcileState, recordOn } from '../../core/model/records.ts'
import { isAutomatic, isSkipped, type Request, terms } from '../../core/model/request.ts'
import type { Hold, Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { readEndpoint } from '../../core/requests/find-endpoint.ts'
import { ruleRequestId } from '../../core/requests/receive.ts'
import { absolute } from '../../core/time/format.ts'
import { lastChangeOn, leftBy, newerOf } from '../history/last-change.ts'
import { nextMorning } from '../savings/prices.ts'
import { endedOneOffs } from './end-one-offs.ts'
import { attemptsOf, type FoundDifference, type LookContext, saveState, zoneOf } from './look.ts'
import type { ToAnnounce } from './missed.ts'
import { onlyOneOffAt } from './rules/coming.ts'
import { desired } from './rules/desired-state.ts'
import type { ReconcileAction } from './rules/reconcile-decision.ts'

/** Holds an endpoint that was started or stopped against its rules, until the rules next want something else. */
export async function holdMoved(
  services: Services,
  found: FoundDifference,
  { want, until }: ReconcileAction & { readonly kind: 'moved' },
  { moved }: ToAnnounce,
): Promise<void> {
  const { endpoint, occurrence, reconcileState, now } = found
  if (reconcileState === undefined) return
  // A request may be restarting the endpoint, and the list may be older than a read.
  if ((await services.store.holderOf(endpoint.id)) !== null) return
  const read = await readEndpoint(services, endpoint.id)
  if (read.kind !== 'read' || read.endpoint.active !== endpoint.active) return
  const recent = await services.store.recentOn(endpoint.id)
  const last = recent.find((one) => (one.ending?.at ?? 0) > reconcileState.at && leftBy(one) !== undefined)
  // A start here does not explain a stop that was seen after it.
  const isOurs = last !== undefined && [want === 'up' ? 'stopped' : 'started', 'unclear'].includes(leftBy(last) ?? '')
  const { by: rule, since } = desired(found.rules, now)
  // Somebody has since ended the hold that their change had made.
  const key = endpointKey('hold', endpoint.id)
  const later = recent.slice(0, isOurs ? recent.indexOf(last) : 0)
  const isResumed = later.some(({ status, change }) => status === 'succeeded' && change?.drop?.includes(key))
  // A rule whose time came after the request began is newer. A person’s stop that failed has still stopped it as wanted.
  const hasFailed = last?.status !== 'succeeded' && last?.plan?.at(-1)?.goal !== 'stopped'
  if (isOurs && (isResumed || isAutomatic(last) || hasFailed || (last.startedAt ?? since) < since)) {
    await saveState(services, endpoint.id, { occurrence, state: 'held', attempts: attemptsOf(found), at: now })
    return services.soon()
  }
  // A stop at a time ends with a start, whoever makes it. What the other rules want shows at the next look.
  const { ended } =
    want === 'up' ? { ended: [] } : await endedOneOffs(services, endpoint, { wants: 'up', from: now, now })
  if (ended.length > 0) return services.store.write({ drop: ended.map(keyOf) }, [{ at: now, what: 'spent' }])
  const by = isOurs ? last.actor : 'console'
  // `now` is the attempt, because one occurrence may be moved several times.
  const id = ruleRequestId(services, occurrence, now)
  const hold: Hold = { kind: 'hold', id, endpoint: endpoint.id, at: now, until, by, ...(isOurs && { against: true }) }
  const state = endpoint.active === true ? 'up' : 'down'
  const where = isOurs ? 'here' : 'elsewhere'
  const says = say('rule.moved', { name: endpoint.name, state, want, where, by: rule.kind })
  const detail = [says, say('rule.leftUntil', { until: { at: until } })]
  await services.store.write({ put: [hold] }, [{ at: now, what: 'moved by hand', detail }])
  await saveState(services, endpoint.id, { occurrence, state: 'held', attempts: attemptsOf(found), at: now })
  if (isOurs) return
  const morning = nextMorning(now + 3_600_000, await zoneOf(services, rule))
  const start = want === 'up' ? say('start.press', { name: endpoint.name }) : say('keepOff.press')
  const offers = [
    { label: rule.kind === 'once' ? start : say('rule.return'), line: `resume ${writeWord(endpoint.id)}` },
    ...keepOffer(hold, morning, services.policy().bounds.keep),
  ]
  moved.push({ says, alone: () => announceHold(services, hold, says, offers) })
}

/** Returns the console hold that ends early because the endpoint is as its rules want it again; null if none does. */
export function endedHold(endpoint: Endpoint, rules: Rules, now: number): Hold | null {
  const hold = rules.holds.find(({ by, at, until }) => by === 'console' && at + terms.lag < now && now < until)
  if (hold === undefined) return null
  const { want } = desired({ ...rules, holds: rules.holds.filter((one) => one !== hold) }, now)
  return want !== 'hands off' && endpoint.active === (want === 'up') ? hold : null
}

/**
 * Carries out a person's skip of a stop or a start: removes the one-off that wants it, or holds the endpoint for as long
 * as its other rules want it. Returns false without a skip, or if what was skipped would have had no end.
 */
export async function applySkip(services: Services, found: FoundDifference, request: Request): Promise<boolean> {
  const { endpoint, rules, now } = found
  const { decision, due = now, id, line } = request
  if (decision === undefined || !isSkipped(request)) return false
  const { wants = 'down' } = services.commands.operation(line).row
  const at = Math.max(now, due)
  const planned = onlyOneOffAt(rules, at, wants)
  const { want, until } = desired({ ...rules, holds: [], freeze: null }, at)
  if (planned === null && (want !== wants || until === null)) return false
  const hold: Hold = {
    kind: 'hold',
    id,
    endpoint: endpoint.id,
    at: now,
    until: until ?? now,
    by: decision.by,
    ...(wants === 'down' && { skips: due }),
  }
  const detail = say('rule.skipped', {
    name: endpoint.name,
    want: wants,
    at: { at: due },
    until: planned === null ? { at: hold.until } : 'none',
  })
  const change = planned === null ? { put: [hold] } : { drop: [keyOf(planned.rule)] }
  await services.store.write(change, [{ at: now, what: 'skipped', by: decision.by, detail }])
  return true
}

/** Offers a pause until the morning, or for up to 34 h without a zone. Not beyond `most`, nor if the hold lasts so long. */
function keepOffer({ endpoint, at, until: left }: Hold, morning: number | null, most: number): readonly Offer[] {
  const latest = morning ?? at + 34 * 3_600_000
  if (latest - at > most || latest <= left) return []
  const until = morning === null ? 'tomorrow 09:00' : absolute(morning)
  return [{ label: say('rule.tomorrow'), line: `keep ${writeWord(endpoint)} until ${until}` }]
}

/** How long an announcement may take to be posted, ms. After that, there is nothing to close. */
const postLimit = 5 * 60_000

/** Announces a console hold, and stores where, so that its buttons can be removed later. */
async function announceHold(services: Services, hold: Hold, says: Words, offers: readonly Offer[]): Promise<void> {
  const { id, endpoint, at, until } = hold
  // State `waits` keeps the rules being checked until a person answers.
  const note: ReconcileState = { occurrence: endpoint, state: 'waits', attempts: 0, at, told: { says, until } }
  await saveState(services, announcementKey(id), note)
  void services
    .announce([[says, say('rule.leftUntil', { until: { at: until } })]], offers)
    .then((place) => place && saveState(services, announcementKey(id), { ...note, told: { says, until, ...place } }))
    .catch((err: unknown) => services.log.warn({ err }, 'could not store where an announcement was posted'))
}

/** Removes the buttons of holds that were answered or have ended, and says what happened. May be called at any time. */
export async function closeAnswered(services: Services, { records, reconcileStates, now }: LookContext): Promise<void> {
  for (const [key, { occurrence: endpoint, told, at }] of reconcileStates) {
    if (told === undefined) continue
    const hold = recordOn(records, 'hold', endpoint)
    const isSame = hold !== undefined && key === announcementKey(hold.id)
    if (isSame && now < told.until) continue
    const { channel, ts, says, until } = told
    if (channel === undefined || ts === undefined) {
      if (now - at > postLimit) await saveState(services, key, null)
      continue
    }
    const became = await outcomeOf(services, endpoint, at, until, isSame ? undefined : hold)
    void services
      .announce([[says, became]], [], { channel, ts })
      .then((place) => place && saveState(services, key, null))
      .catch((err: unknown) => services.log.warn({ err }, 'could not close an announcement'))
  }
}

/** Says what became of a hold announced at `at` (ms) that lasts until `until`. `newer`: the hold that replaced it. */
async function outcomeOf(services: Services, endpoint: string, at: number, until: number, newer: Hold | undefined) {
  if (newer?.by === 'console') return say('rule.movedAgain')
  if (newer !== undefined) return say('rule.pausedBy', { by: { person: newer.by }, until: { at: newer.until } })
  if (services.clock.now() >= until) return say('rule.leftOver', { until: { at: until } })
  const last = newerOf(await services.store.lastDone(endpoint), await lastChangeOn(services, endpoint))
  const hasEndedIt =
    (last?.ending?.at ?? 0) > at && last?.change?.drop?.includes(endpointKey('hold', endpoint)) === true
  return hasEndedIt ? say('rule.returned', { by: { person: last.actor } }) : say('rule.asWanted')
}

function announcementKey(hold: string): string {
  return `open ${hold}`
}
