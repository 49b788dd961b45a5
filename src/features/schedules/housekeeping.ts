import { buttonTo } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Offer } from '../../core/model/query-answer.ts'
import { freezeAt, isOwned, keyOf, type ReconcileState, type Records } from '../../core/model/records.ts'
import type { Actor } from '../../core/model/roles.ts'
import type { Hold, OneOff, Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { entryText, protectedBy } from '../../core/policy/requirement.ts'
import type { Services } from '../../core/ports/services.ts'
import { authorizeOwner } from '../../core/requests/authorize.ts'
import { readEndpoint, removedEndpoint } from '../../core/requests/find-endpoint.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { noStop, stopsEnded } from '../safeguards/protect.ts'
import { announceOnce, type LookContext, lastLookIn, saveState } from './look.ts'
import { textOf } from './rules/describe.ts'
import { desired, occurrenceOf, spanOfOneOff } from './rules/desired-state.ts'
import { lineForIdleRule, lineForRule } from './schedule-command.ts'

/** Announces once that the rules of an endpoint rest, because the platform no longer has it. */
export async function announceRemoved(
  services: Services,
  { acting, book, records, listed, reconcileStates }: LookContext,
): Promise<void> {
  const there = new Set(listed.map(({ id }) => id))
  const idle = [...records.values()].flatMap((one) => (one.kind === 'idle' && one.mode !== 'off' ? [one.endpoint] : []))
  const gone = new Set([...book.own.keys(), ...idle].filter((id) => !there.has(id)))
  const keys = new Set([...gone].map(removedKey))
  await forget(services, reconcileStates, (key) => key.startsWith(removedKey('')) && !keys.has(key))
  for (const id of gone) {
    const [key, rules] = [removedKey(id), acting.own.get(id)]
    const isScheduled = rules !== undefined && rules.weekly.length + rules.once.length > 0
    // A hold alone ends by itself.
    if (reconcileStates.has(key) || !(isScheduled || idle.includes(id))) continue
    // The list may be incomplete.
    const read = await readEndpoint(services, id)
    if (read.kind !== 'gone') continue
    const { name } = (await removedEndpoint(services, id)) ?? { name: id }
    const offers: readonly Offer[] = [
      ...(isScheduled ? [{ label: say('unschedule.ask', { name }), line: `unschedule ${writeWord(id)}` }] : []),
      ...(idle.includes(id) ? [{ label: say('idleOff.ask', { name }), line: `idle ${writeWord(id)} off` }] : []),
    ]
    await announceOnce(services, reconcileStates, { key }, [say('rule.gone', { name, why: read.says })], offers)
  }
}

/** Returns the key under which `announceRemoved` remembers an endpoint. */
export function removedKey(id: string): string {
  return `gone ${id}`
}

/** Forgets what was announced under the keys for which `isOver` is true. */
async function forget(
  services: Services,
  reconcileStates: LookContext['reconcileStates'],
  isOver: (key: string) => boolean,
): Promise<void> {
  for (const key of reconcileStates.keys()) if (isOver(key)) await saveState(services, key, null)
}

/** How long an expired token can still be distinguished from a revoked one, ms. */
const tokenKept = 7 * dayMs

/** How long the holds and one-offs of a removed endpoint are kept after their end, ms: it may be listed again. */
const removedKept = dayMs

/** Drops what is over, and the planned stops of an endpoint that the policy file protects now, which it announces. */
export async function dropExpired(services: Services, context: Omit<LookContext, 'book'>): Promise<void> {
  const { acting: book, policy, reconcileStates, listed, records, now } = context
  const told: Words[] = []
  const offers: Offer[] = []
  const lastLook = lastLookIn(reconcileStates) ?? 0
  const isPaused = freezeAt(records, now) !== null
  const expired = listed.flatMap((endpoint) => {
    const own = book.own.get(endpoint.id)
    if (own === undefined || own.once.length + own.holds.length === 0) return []
    const rules = book.of(endpoint)
    const entry = protectedBy(policy, endpoint)
    const stops = entry === null ? [] : stopsEnded(rules.once, endpoint, now)
    const asked = reconcileStates.get(endpoint.id)
    // The notice of a stop says itself that it is withdrawn.
    const untold = stops.filter(({ id }) => asked?.state !== 'asked' || !asked.occurrence.includes(id))
    if (entry !== null && untold.length > 0)
      told.push([say('schedule.guarded', { name: endpoint.name, entry: entryText(entry) }), ...untold.map(noStop)])
    // A run continues if its planned stop was skipped, which may be known only at the next look.
    const isLasting = ({ until }: OneOff | Hold) => asked?.state === 'asked' && until !== undefined && now < until
    const over = expiredIn(rules, now).filter((rule) => !isLasting(rule))
    const lapsed = endpoint.active === true ? over.flatMap((rule) => lapsedStop(rule, rules, now)) : []
    // If a look came in time, the stop was made or people were told why not.
    for (const at of isPaused ? lapsed : lapsed.filter((planned) => planned > lastLook)) {
      told.push([say('schedule.lapsed', { name: endpoint.name, at: { at }, why: isPaused ? 'paused' : 'unchecked' })])
      offers.push(buttonTo('stop', endpoint))
    }
    return [...new Set([...stops, ...over])].map(keyOf)
  })
  expired.push(...(await expiredOnRemoved(services, context)))
  for (const record of records.values())
    if (record.kind === 'token' && record.until + tokenKept <= now) expired.push(keyOf(record))
  if (expired.length > 0) await services.store.write({ drop: expired }, [{ at: now, what: 'spent' }])
  if (told.length > 0) void services.announce(told, offers)
}

/** Returns the keys of what is over on removed endpoints. Forgets the states of those that have no rules left. */
async function expiredOnRemoved(
  services: Services,
  { acting: book, reconcileStates, listed, records, now }: Omit<LookContext, 'book'>,
): Promise<readonly string[]> {
  const there = new Set(listed.map(({ id }) => id))
  const isPast = ({ until, ...rule }: OneOff | Hold) => (until ?? rule.at) + removedKept <= now
  const expired: string[] = []
  for (const [id, { once, holds }] of book.own) {
    if (there.has(id) || ![...once, ...holds].some(isPast)) continue
    const rules = book.of((await removedEndpoint(services, id)) ?? { id, name: id })
    // People are told first that the platform no longer has it.
    const isTold = reconcileStates.has(removedKey(id))
    const over = expiredIn(rules, now).filter((rule) => isPast(rule) && (isTold || rule.kind === 'hold'))
    const keys = over.map(keyOf)
    expired.push(...keys)
    const own = [...records.values()].filter((one) => (isOwned(one) || one.kind === 'hold') && one.endpoint === id)
    if (rules.weekly.length > 0 || own.some((one) => !keys.includes(keyOf(one)))) continue
    await services.store.noteReconcileStates(new Map([id, removedKey(id)].map((key) => [key, null])))
  }
  return expired
}

/** Returns when a rule that is over wanted a stop (ms), unless that was skipped or another rule has decided since. */
function lapsedStop(rule: OneOff | Hold, { weekly, once, holds }: Rules, now: number): readonly number[] {
  if (rule.kind === 'hold' || weekly.length > 0 || isOverridden(rule, once, now)) return []
  const at = rule.want === 'down' ? rule.at : rule.until
  const isSkipped = holds.some(({ skips }) => skips !== undefined && skips === at)
  return at === undefined || isSkipped ? [] : [at]
}

/** Whether a newer one-off has begun. */
function isOverridden(rule: OneOff, once: readonly OneOff[], now: number): boolean {
  return once.some((other) => other.at <= now && oldestFirst(rule, other) < 0)
}

/** Returns holds and one-offs that decide nothing now and whose removal keeps the id of the decision at `now` (ms). */
export function expiredIn(rules: Rules, now: number): readonly (OneOff | Hold)[] {
  const expired: (OneOff | Hold)[] = []
  let left = rules
  // The newest one-off overrides the others, so the oldest expire first.
  for (const rule of [...rules.once.toSorted(oldestFirst), ...rules.holds]) {
    if (!isOver(rule, left, now)) continue
    const [once, holds] = [left.once.filter((one) => one !== rule), left.holds.filter((one) => one !== rule)]
    const rest = { ...left, once, holds }
    if (decisionAt(rest, now) !== decisionAt(left, now)) continue
    expired.push(rule)
    left = rest
  }
  return expired
}

function isOver(rule: OneOff | Hold, rules: Rules, now: number): boolean {
  if (rule.kind === 'hold') return rule.until <= now
  if (isOverridden(rule, rules.once, now)) return true
  const others = rules.once.filter(({ id }) => id !== rule.id)
  return spanOfOneOff(rules, rule).trail <= now && others.every((other) => oldestFirst(rule, other) < 0)
}

/** Returns the id of the decision without freeze, protection or a current hold. */
function decisionAt({ holds, ...rules }: Rules, now: number): string {
  const ended = holds.filter(({ until }) => until <= now)
  const decision = desired({ ...rules, holds: ended, freeze: null, protected: false }, now)
  return decision.want === 'hands off' ? '' : occurrenceOf('', decision)
}

function oldestFirst(a: OneOff, b: OneOff): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1)
}

/** How long Slack may be unable to say whether an owner may operate here before that is announced, ms. */
const mostUnsure = 30 * 60_000

/**
 * Returns owners by user id. `absent`: they may not operate here, so their rules rest, which is announced once.
 * `unsure`: Slack could not say.
 */
export async function ownersWithoutRole(
  services: Services,
  records: Records,
  reconcileStates: ReadonlyMap<string, ReconcileState>,
  listed: readonly Endpoint[],
): Promise<{ readonly absent: ReadonlySet<string>; readonly unsure: ReadonlySet<string> }> {
  const owners = new Map<string, Actor>()
  for (const record of records.values()) if (isOwned(record)) owners.set(record.owner.user, record.owner)
  const [absent, unsure] = [new Set<string>(), new Set<string>()]
  const now = services.clock.now()
  const known = new Set([...owners.keys()].map(ownerKey))
  // Earlier versions remembered owners of idle rules apart.
  await forget(services, reconcileStates, (key) => /^(?:idle )?owner /.test(key) && !known.has(key))
  for (const [user, owner] of owners) {
    const key = ownerKey(user)
    const authorization = await authorizeOwner(services, owner)
    if (authorization.kind === 'may') {
      if (reconcileStates.has(key)) await saveState(services, key, null)
      continue
    }
    const known = reconcileStates.get(key)
    // An owner who is known to have lost the role stays so until Slack shows otherwise.
    const isUnsure = authorization.unsure === true && !isGone(reconcileStates, user)
    const found = isUnsure ? unsure : absent
    found.add(user)
    if (isUnsure && known === undefined)
      await saveState(services, key, { occurrence: 'unsure', state: 'waits', attempts: 0, at: now })
    if (isUnsure && now - (known?.at ?? now) < mostUnsure) continue
    const { texts, offers } = restingRules(services, records, listed, owner)
    const says = say(isUnsure ? 'rule.ownerUnread' : 'rule.ownerGone', { owner: { person: owner } })
    await announceOnce(services, reconcileStates, { key, of: isUnsure ? 'unread' : key }, [says, ...texts], offers)
  }
  return { absent, unsure }
}

/** Returns the key under which `ownersWithoutRole` remembers an owner whose rules rest. */
export function ownerKey(user: string): string {
  return `owner ${user}`
}

/** Whether an owner has certainly lost the role: Slack said so. */
export function isGone(reconcileStates: ReadonlyMap<string, ReconcileState>, user: string): boolean {
  return reconcileStates.get(ownerKey(user))?.occurrence === ownerKey(user)
}

function restingRules({ clock, commands }: Services, records: Records, listed: readonly Endpoint[], owner: Actor) {
  const now = clock.now()
  const rules = [...records.values()]
    .filter(isOwned)
    .filter((one) => one.owner.user === owner.user && (one.kind !== 'once' || now < (one.until ?? one.at)))
  const nameOf = (id: string | null) => listed.find((one) => one.id === id)?.name ?? id ?? ''
  const shown = rules.map((one) => {
    const rule = one.kind === 'idle' ? say('list.idle', { mode: one.mode, after: { lasting: one.after } }) : textOf(one)
    const line = one.kind === 'idle' ? lineForIdleRule(one, commands.write) : lineForRule(one, commands.write)
    return { line, values: { name: nameOf(one.endpoint), rule } }
  })
  const offers = shown.slice(0, 5).flatMap(({ line, values }) => {
    return line === null ? [] : [{ label: say('rule.takeOver', values), line }]
  })
  return { texts: shown.map(({ values }) => say('rule.of', values)), offers }
}
