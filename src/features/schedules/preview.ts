import { asStarted, type Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import type { UpcomingChange } from '../../core/model/query-answer.ts'
import type { DailyPreview } from '../../core/model/question.ts'
import { type Change, isOwned, isRule, keyOf, type ReconcileState, type Records } from '../../core/model/records.ts'
import { type Rules, weeklyText } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { BotServices, Services } from '../../core/ports/services.ts'
import { costOver } from '../savings/format.ts'
import { isGone, ownerKey } from './housekeeping.ts'
import { nextChange, pausedUntil, shownBeside } from './rules/coming.ts'
import { type Decider, desired, isPause, segments, spanOfOneOff, stopperOf } from './rules/desired-state.ts'
import { previewDays } from './rules/preview-days.ts'
import { rulebookOf } from './rules/rulebook.ts'

/** Returns the rules of endpoints now, without those that rest. `known`: only those of owners known to have lost the role. */
export async function rulesNow(
  { store, policy, clock }: BotServices,
  resting?: 'known',
): Promise<(endpoint: Endpoint) => Rules> {
  const [records, reconcileStates] = await Promise.all([store.records(), store.reconcileStates()])
  const absent = [...restingOwners(records, reconcileStates)]
  const without = new Set(resting === 'known' ? absent.filter((user) => isGone(reconcileStates, user)) : absent)
  const book = rulebookOf(records, policy(), clock.now(), without)
  return (endpoint) => ({ ...book.of(endpoint), again: reconcileStates.get(endpoint.id)?.again })
}

/** Returns owners, by user id, whose rules rested at the last look. */
export function restingOwners(records: Records, reconcileStates: ReadonlyMap<string, ReconcileState>) {
  const owners = [...records.values()].filter(isOwned).map(({ owner }) => owner.user)
  return new Set(owners.filter((user) => reconcileStates.get(ownerKey(user))?.state === 'left'))
}

/** The records before a proposed change. `now` in ms. */
interface Before {
  readonly records: Records
  readonly policy: Policy
  readonly endpoint: Endpoint | undefined
  readonly now: number
}

/** Previews the next 7 days after a change, as if nothing were paused. Empty if the change makes no weekly rule. */
export function previewDaysAfter(change: Change, before: Before, zone: string): readonly DailyPreview[] {
  if (change.put?.some(({ kind }) => kind === 'once')) return []
  const rules = rulesAfter(change, before)
  const free = rules && { ...rules, holds: [], freeze: null }
  return rules && free ? previewDays(free, before.now, zone, stopsAt(rules, before)) : []
}

/** Says what a new rule starts or stops right away, or what keeps it from that; '' if neither applies. */
export function atOnce(change: Change, before: Before): Words {
  const rules = rulesAfter(change, before)
  const { now, endpoint } = before
  if (rules === null || endpoint === undefined) return ''
  // A one-off stops nothing now, whatever the other rules do.
  const isOnce = change.put?.some(({ kind }) => kind === 'once') === true
  const notice = { lasting: before.policy.automation.notice }
  if (stopsAt(rules, before) !== undefined)
    return isOnce ? '' : say('schedule.stopsSoon', { name: endpoint.name, notice })
  const free = isOnce ? now : pausedUntil(rules, now)
  if (free !== now) return say('schedule.waits', { name: endpoint.name, until: free === null ? 'none' : { at: free } })
  return desired(rules, now).want === 'up' && endpoint.active === false
    ? say('schedule.startsNow', { name: endpoint.name })
    : ''
}

/** Returns when the warning before a stop ends, ms; undefined if nothing is stopped now. */
function stopsAt(rules: Rules, { now, endpoint, policy }: Before): number | undefined {
  const due = now + policy.automation.notice
  // A stop that would be undone before it comes is not announced.
  const isStopped = [now, due].every((at) => desired(rules, at).want === 'down')
  return isStopped && endpoint?.active === true ? due : undefined
}

/** Returns what people agree to besides a rule itself. Omits what may expire within `span` (ms), while they decide. */
export function agreedPreview(change: Change, before: Before, span: number): readonly unknown[] {
  const all = rulesAfter(change, before)
  if (all === null) return []
  const once = all.once.filter((rule) => spanOfOneOff(all, rule).trail > before.now + span)
  const { want } = desired({ ...all, once, holds: [], freeze: null }, before.now)
  const isOtherwise = before.endpoint?.active === (want === 'down')
  const own = change.put?.find((one) => one.kind === 'once')
  return [
    all.weekly.map((rule) => `${weeklyText(rule)}${rule.autoscaled === true ? ' autoscaled' : ''}`).sort(),
    (own === undefined ? once : shownBeside(own, once))
      .map(({ want: wanted, at, until = null }) => [at, wanted, until].join(' '))
      .sort(),
    [...all.skip].sort((a, b) => a - b),
    want !== 'hands off' && isOtherwise ? want : '',
  ]
}

/** Says what a new or longer run costs from `now` until a rule stops it; empty for any other change, or without a price. */
export async function runCost(
  services: Services,
  change: Change,
  before: Before,
  values: Parameters<typeof asStarted>[1],
): Promise<Words> {
  const { endpoint, now } = before
  const once = change.put?.find((one) => one.kind === 'once')
  const isRun = once?.want === 'up' && (once.ran !== true || change.alters === true)
  const rules = isRun ? rulesAfter(change, before) : null
  const next = rules && nextChange(rules, now)
  // If the rules are paused at the end of the run, it may go on for any time.
  const isPaused = rules !== null && once !== undefined && isPause(desired(rules, once.until ?? now).by)
  if (endpoint === undefined || next?.want !== 'down' || isPaused) return ''
  const cost = await costOver(services, asStarted(endpoint, values), next.at - now)
  return cost === 'none' ? '' : say('endpoint.costs', { cost })
}

/** Returns null if the change makes no rule. */
function rulesAfter({ put = [], drop = [] }: Change, { records, policy, endpoint, now }: Before): Rules | null {
  if (endpoint === undefined || !put.some(isRule)) return null
  const kept = [...records].filter(([key]) => !drop.includes(key))
  const after = new Map([...kept, ...put.map((record) => [keyOf(record), record] as const)])
  return rulebookOf(after, policy, now).of(endpoint)
}

/** Endpoints handled before other work of this process gets a turn, about 5 ms. */
const inOneGo = 300

/** Returns the starts and stops that rules bring, for `home.coming`. Uses the last list of endpoints. */
export async function comingWithin(services: BotServices, span: number): Promise<readonly UpcomingChange[]> {
  const [rulesOf, listed] = await Promise.all([rulesNow(services), services.store.names()])
  const now = services.clock.now()
  const found: UpcomingChange[] = []
  for (const [at, endpoint] of (listed?.endpoints ?? []).entries()) {
    if (at % inOneGo === inOneGo - 1) await new Promise((resolve) => setImmediate(resolve))
    const rules = rulesOf(endpoint)
    if (rules.weekly.length + rules.once.length + rules.holds.length === 0) continue
    const soon = changesIn(rules, now, now + span)
    const isChanged = soon.some(({ want }) => (want === 'up') !== endpoint.active)
    const again = desired(rules, now).want === 'up' ? rules.again : null
    if (again != null && endpoint.active === false) found.push({ endpoint, at: again, want: 'up' })
    for (const change of isChanged ? soon : [...soon, ...laterChange(rules, now + span - 1, endpoint.active)])
      found.push({ endpoint, ...change })
  }
  return found.sort((a, b) => a.at - b.at)
}

/** Returns the changes of the desired state between `now` and `to` (ms), up to one to hands off. */
function changesIn(rules: Rules, now: number, to: number): readonly Omit<UpcomingChange, 'endpoint'>[] {
  const all = segments(rules, now, to)
  const found: Omit<UpcomingChange, 'endpoint'>[] = []
  for (const [at, { want, by, from }] of all.entries()) {
    const before = all[at - 1]?.want
    if (before === undefined || want === before) continue
    if (want === 'hands off') break
    found.push(changeTo({ at: from, want, by: stopperOf(rules, { want, by, since: from }) }))
  }
  return found
}

/** Returns the first change after an instant (ms) that changes the endpoint; empty if none is known. */
function laterChange(rules: Rules, after: number, active: boolean | null): readonly Omit<UpcomingChange, 'endpoint'>[] {
  let at = after
  // More changes than rules make before one changes the endpoint.
  for (let looks = 0; looks < 4; looks += 1) {
    const next = nextChange(rules, at)
    if (next === null) return []
    if (next.want !== 'hands off' && (next.want === 'up') !== active) return [changeTo({ ...next, want: next.want })]
    at = next.at
  }
  return []
}

function changeTo({ at, want, by }: Pick<UpcomingChange, 'at' | 'want'> & { readonly by: Decider }) {
  return { at, want, ...(by.kind === 'once' && { by: 'once' as const }) }
}
