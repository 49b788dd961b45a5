import { expect, test } from 'vitest'
import { noPrices, usualAutomation } from '../../../../src/core/model/automation.ts'
import { type Policy, usualApprovalSettings, usualMatrix } from '../../../../src/core/model/policy.ts'
import { keyOf, type Records, type StoredRecord } from '../../../../src/core/model/records.ts'
import { type Rulebook, rulebookOf } from '../../../../src/features/schedules/rules/rulebook.ts'
import { ana, at, hold, weekly } from '../schedule.ts'

const policy: Policy = {
  version: 'v1',
  language: 'en',
  roles: { viewer: [], operator: [], approver: [], admin: [] },
  matrix: usualMatrix,
  asking: usualApprovalSettings,
  overrides: [],
  bounds: { replicas: 100, away: 86_400_000, keep: 86_400_000 },
  webhooks: [],
  tokens: [],
  workflows: [],
  automation: usualAutomation,
  prices: noPrices,
}
const now = at('2026-11-20 12:00')
const ids = ['e1', 'e2', 'e3']
const base: readonly StoredRecord[] = ids.map((id) => ({
  ...weekly(`w-${id}`, 'up weekdays 09:00-20:00'),
  endpoint: id,
}))

function recordsOf(...records: readonly StoredRecord[]): Records {
  return new Map([...base, ...records].map((one) => [keyOf(one), one]))
}

/** The endpoints whose rules are the same object in both rulebooks. */
function kept(before: Rulebook, after: Rulebook): readonly string[] {
  return ids.filter((id) => before.of({ id, name: id }) === after.of({ id, name: id }))
}

test('Unchanged rules stay the same object in the next rulebook', () => {
  const first = rulebookOf(recordsOf(), policy, now)
  expect(kept(first, first)).toEqual(ids)
  const kept1 = { ...hold('h', '2026-11-20 11:00', '2026-11-20 13:00'), endpoint: 'e1' }
  const held = rulebookOf(recordsOf(kept1), policy, now, new Set(), first)
  expect(kept(first, held)).toEqual(['e2', 'e3'])
  expect(held.of({ id: 'e1', name: 'e1' }).holds).toEqual([kept1])
  const shielded: StoredRecord = { kind: 'protection', endpoint: 'e2', by: ana, at: now }
  const safe = rulebookOf(recordsOf(kept1, shielded), policy, now, new Set(), held)
  expect(kept(held, safe)).toEqual(['e1', 'e3'])
  expect(safe.of({ id: 'e2', name: 'e2' }).protected).toBe(true)
})

test('Rules looked up two rulebooks ago are still shared', () => {
  const first = rulebookOf(recordsOf(), policy, now)
  const rules = ids.map((id) => first.of({ id, name: id }))
  const second = rulebookOf(recordsOf(), policy, now, new Set(), first)
  const third = rulebookOf(recordsOf(), policy, now, new Set(), second)
  expect(ids.map((id) => third.of({ id, name: id }) === rules[ids.indexOf(id)])).toEqual([true, true, true])
})

test('Another policy, a freeze, another name or a paused owner makes the rules be looked up again', () => {
  const first = rulebookOf(recordsOf(), policy, now)
  const rules = first.of({ id: 'e1', name: 'e1' })
  const next = (...given: Parameters<typeof rulebookOf>) => rulebookOf(...given).of({ id: 'e1', name: 'e1' })
  const freeze: StoredRecord = { kind: 'freeze', by: ana, at: now, until: null }
  expect(next(recordsOf(), { ...policy }, now, new Set(), first)).not.toBe(rules)
  expect(next(recordsOf(freeze), policy, now, new Set(), first).freeze).toEqual({ at: now, until: null })
  expect(next(recordsOf(), policy, now, new Set([ana.user]), first).weekly).toEqual([])
  const fresh = rulebookOf(recordsOf(), policy, now, new Set(), first)
  expect(fresh.of({ id: 'e1', name: 'e1', autoscaled: true }).weekly).toEqual([])
})

test('Moving, removing or pausing a rule changes only the endpoints it concerns', () => {
  const first = rulebookOf(recordsOf(), policy, now)
  expect(kept(first, first)).toEqual(ids)
  const moved = rulebookOf(recordsOf({ ...weekly('w-e1', 'up sat'), endpoint: 'e2' }), policy, now, new Set(), first)
  expect(kept(first, moved)).toEqual(['e3'])
  expect([...moved.own.keys()].toSorted()).toEqual(['e2', 'e3'])
  const gone = rulebookOf(new Map([...moved.from.records].slice(1)), policy, now, new Set(), moved)
  expect(kept(moved, gone)).toEqual(['e1', 'e3'])
  const bens: StoredRecord = { ...weekly('w-e2', 'up sun'), endpoint: 'e2', owner: { ...ana, user: 'U0BEN' } }
  const theirs = rulebookOf(recordsOf(bens), policy, now, new Set(), first)
  expect(kept(theirs, rulebookOf(recordsOf(bens), policy, now, new Set(['U0BEN']), theirs))).toEqual(['e1', 'e3'])
  const resting = rulebookOf(recordsOf(bens), policy, now, new Set(['U0BEN']), theirs)
  expect(resting.own.has('e2')).toBe(false)
  const back = rulebookOf(recordsOf(bens), policy, now, new Set(), resting)
  expect(back.of({ id: 'e2', name: 'e2' }).weekly).toEqual([bens])
})
