import type { Coming } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import type { Outlook } from '../../core/model/question.ts'
import { type Change, keyOf, type Pursuit, type Records } from '../../core/model/records.ts'
import { type Rules, weeklyText } from '../../core/model/rules.ts'
import type { House } from '../../core/ports/services.ts'
import { instant } from '../../core/time/format.ts'
import { ownerKey } from './owners.ts'
import { desired, segments } from './rules/desired-state.ts'
import { spellOf } from './rules/one-offs.ts'
import { outlooksOf, preview } from './rules/preview.ts'
import { rulebookOf } from './rules/rulebook.ts'

type About = Pick<Endpoint, 'id' | 'name' | 'tags' | 'autoscaled' | 'active'>

/** How far people look ahead, days: the seven that are shown, and a night that begins on the last of them. */
const ahead = 9

/** What decides about endpoints now, without rules that rest since their owner may not operate here any more. */
export async function rulesNow({ store, policy, clock }: Knows): Promise<(endpoint: Endpoint) => Rules> {
  const [records, pursuits] = await Promise.all([store.records(), store.pursuits()])
  const book = rulebookOf(records, policy(), clock.now(), restingOwners(records, pursuits))
  return (endpoint) => book.of(endpoint)
}

type Knows = Pick<House, 'policy' | 'clock'> & { readonly store: Pick<House['store'], 'records' | 'pursuits'> }

/** Owners, by user, whose rules rest, as far as the last look at the rules has found. */
export function restingOwners(records: Records, pursuits: ReadonlyMap<string, Pursuit>): ReadonlySet<string> {
  const ruling = [...records.values()].filter((one) => one.kind === 'weekly' || one.kind === 'once')
  return new Set(ruling.map(({ owner }) => owner.user).filter((user) => pursuits.has(ownerKey(user))))
}

/** The next 7 days of an endpoint, in the zones of its rules and in that of whoever looks. `now` in ms. */
export function outlookOf(rules: Rules, now: number, zone: string): readonly Outlook[] {
  return outlooksOf(preview(rules, now, ahead), [...rules.weekly.map((rule) => rule.zone), zone])
}

/** The same as it would be after a change of the records; nothing where the change lays down no rule. */
export function outlookAfter(
  { put = [], drop = [] }: Change,
  { records, policy, endpoint, now, zone }: Seen,
): readonly Outlook[] {
  if (endpoint === undefined || !laysDown(put)) return []
  return outlookOf(rulesAfter({ put, drop }, { records, policy, endpoint, now }), now, zone)
}

/** What would be done right away, where the endpoint is otherwise than a rule that is laid down wants it; or ''. */
export function atOnce(change: Change, { records, policy, endpoint, now }: Omit<Seen, 'zone'>): string {
  if (endpoint === undefined || !laysDown(change.put)) return ''
  const { want } = desired(rulesAfter(change, { records, policy, endpoint, now }), now)
  if (want === 'down' && endpoint.active === true)
    return `Now: it is active, and would be stopped ${instant(now + policy.automation.notice)}.`
  return want === 'up' && endpoint.active === false ? 'Now: it is stopped, and would be started at once.' : ''
}

/**
 * What people agree to with a rule beside the rule itself: all that the preview is made from, and what would be done at
 * once. It stays the same however long they take for it: what may go by itself within `span` of `from` (ms) is left out.
 */
export function comesTo(
  change: Change,
  { from, span, ...seen }: Omit<Seen, 'zone' | 'now'> & { readonly from: number; readonly span: number },
): readonly unknown[] {
  const { endpoint } = seen
  if (endpoint === undefined || !laysDown(change.put)) return []
  const all = rulesAfter(change, { ...seen, endpoint, now: from })
  const once = all.once.filter((rule) => spellOf(all, rule).trail > from + span)
  const { want } = desired({ ...all, once, holds: [], freeze: null }, from)
  const isOtherwise = endpoint.active === (want === 'down')
  return [
    all.weekly.map((rule) => `${weeklyText(rule)}${rule.autoscaled === true ? ' autoscaled' : ''}`).sort(),
    once.map(({ want: wanted, at, until = null }) => [at, wanted, until].join(' ')).sort(),
    [...all.skip].sort((a, b) => a - b),
    want !== 'hands off' && isOtherwise ? want : '',
  ]
}

function laysDown(put: Change['put'] = []): boolean {
  return put.some(({ kind }) => kind === 'weekly' || kind === 'once')
}

function rulesAfter(
  { put = [], drop = [] }: Change,
  { records, policy, endpoint, now }: Omit<Seen, 'zone'> & { readonly endpoint: About },
): Rules {
  const kept = [...records].filter(([key]) => !drop.includes(key))
  const after = new Map([...kept, ...put.map((record) => [keyOf(record), record] as const)])
  return rulebookOf(after, policy, now).of(endpoint)
}

interface Seen {
  readonly records: Records
  readonly policy: Policy
  readonly endpoint: About | undefined
  readonly now: number
  /** Of whoever looks. */
  readonly zone: string
}

/** Endpoints looked through in one go, some 5 ms; then whatever else has come in at a door has its turn. */
const changesAtOnce = 300

/** What rules bring about within some time (ms), the next first, of the endpoints as last listed: nobody calls the platform. */
export async function comingWithin(
  house: Knows & { readonly store: Pick<House['store'], 'names'> },
  span: number,
): Promise<readonly Coming[]> {
  const [rulesOf, listed] = await Promise.all([rulesNow(house), house.store.names()])
  const now = house.clock.now()
  const found: Coming[] = []
  for (const [at, endpoint] of (listed?.endpoints ?? []).entries()) {
    if (at % changesAtOnce === changesAtOnce - 1) await new Promise((resolve) => setImmediate(resolve))
    const next = nextOf(rulesOf(endpoint), now, now + span)
    if (next !== null) found.push({ endpoint, ...next })
  }
  return found.sort((a, b) => a.at - b.at)
}

/** The first change of what is wanted after `now` and before `to` (ms), where it is to a start or a stop. */
function nextOf(rules: Rules, now: number, to: number): Pick<Coming, 'at' | 'want'> | null {
  if (rules.weekly.length + rules.once.length + rules.holds.length === 0) return null
  const [first, ...others] = segments(rules, now, to)
  const next = others.find(({ want }) => want !== first?.want)
  return next === undefined || next.want === 'hands off' ? null : { at: next.from, want: next.want }
}
