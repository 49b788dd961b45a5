import { expect, test } from 'vitest'
import { keyOf, type Records, type StoredRecord } from '../../../../src/core/model/records.ts'
import { bookFor, rulebookOf } from '../../../../src/features/schedules/rules/rulebook.ts'
import { plainPolicy as policy } from '../../../support/policy.ts'
import { ana, at, hold, weekly } from '../schedule.ts'

const now = at('2026-11-20 12:00')
const ids = ['e1', 'e2', 'e3']
const base: readonly StoredRecord[] = ids.map((id) => ({
  ...weekly(`w-${id}`, 'up weekdays 09:00-20:00'),
  endpoint: id,
}))

function recordsOf(...records: readonly StoredRecord[]): Records {
  return new Map([...base, ...records].map((one) => [keyOf(one), one]))
}

function rulesOf(records: Records, id: string, resting?: ReadonlySet<string>) {
  return rulebookOf(records, policy, now, resting).of({ id, name: id })
}

test('An endpoint has its own rules and holds, its protection and the freeze', () => {
  const own = { ...hold('h', '2026-11-20 11:00', '2026-11-20 13:00'), endpoint: 'e1' }
  const shielded: StoredRecord = { kind: 'protection', endpoint: 'e2', by: ana, at: now }
  const freeze: StoredRecord = { kind: 'freeze', by: ana, at: now, until: null }
  const records = recordsOf(own, shielded, freeze)
  expect(rulesOf(records, 'e1')).toMatchObject({ weekly: [base[0]], holds: [own], protected: false })
  expect(rulesOf(records, 'e2')).toMatchObject({ weekly: [base[1]], holds: [], protected: true })
  expect(rulesOf(records, 'e3').freeze).toEqual({ at: now, until: null })
})

test('An autoscaled endpoint and one whose owner is absent have no rules', () => {
  const bens: StoredRecord = { ...weekly('w-e2', 'up sun'), endpoint: 'e2', owner: { ...ana, user: 'U0BEN' } }
  const book = rulebookOf(recordsOf(bens), policy, now, new Set(['U0BEN']))
  expect([...book.own.keys()]).toEqual(['e1', 'e3'])
  expect(book.of({ id: 'e2', name: 'e2' }).weekly).toEqual([])
  expect(book.of({ id: 'e1', name: 'e1', autoscaled: true }).weekly).toEqual([])
})

test('A rulebook is built once for the same records, policy and freeze', () => {
  let time = now
  const services = { policy: () => policy, clock: { now: () => time, monotonic: () => 0 } }
  const end = now + 60_000
  const records = recordsOf({ kind: 'freeze', by: ana, at: now, until: end })
  const all = bookFor(services, records)
  expect(bookFor(services, records)).toBe(all)
  expect(bookFor(services, recordsOf())).not.toBe(all)
  time = end
  expect(bookFor(services, records).of({ id: 'e1', name: 'e1' }).freeze).toBeNull()
})
