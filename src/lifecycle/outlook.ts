import type { Policy } from '../domain/demand.ts'
import { desired } from '../domain/desired.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { instant } from '../domain/instant.ts'
import { type Outlook, outlooksOf } from '../domain/outlook.ts'
import { preview } from '../domain/preview.ts'
import type { Pursuit } from '../domain/pursuit.ts'
import { type Change, keyOf, type Records } from '../domain/records.ts'
import { rulebookOf } from '../domain/rulebook.ts'
import { type Rules, weeklyText } from '../domain/rules.ts'
import { spellOf } from '../domain/spell.ts'
import { ownerKey } from './owners.ts'
import type { House } from './ports.ts'

type About = Pick<Endpoint, 'id' | 'name' | 'tags' | 'autoscaled' | 'active'>

/** How far people look ahead, days: the seven that are shown, and a night that begins on the last of them. */
const ahead = 9

/** What decides about endpoints now, without rules that rest since their owner may not operate here any more. */
export async function rulesNow({ store, policy, clock }: Knows): Promise<(endpoint: Endpoint) => Rules> {
  const [records, pursuits] = await Promise.all([store.records(), store.pursuits()])
  const book = rulebookOf(records, policy(), clock.now(), restingOwners(records, pursuits))
  return (endpoint) => book.of(endpoint)
}

export type Knows = Pick<House, 'policy' | 'clock'> & { readonly store: Pick<House['store'], 'records' | 'pursuits'> }

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
