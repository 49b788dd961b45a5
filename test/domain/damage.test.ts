import { expect, test } from 'vitest'
import type { Rec } from '../../src/core/model/records.ts'
import { acknowledgedIn, damageText } from '../../src/features/safeguards/damage.ts'

const by = { team: 'T0SANDBOX', user: 'U0ANA' }
const now = 1_800_000_000_000
const none = { gaps: [], gone: [], other: [] }

function says(damage: Partial<Parameters<typeof damageText>[0]>): string {
  return damageText({ ...none, ...damage }, now, (id) => id.replace('ep-', 'my-'))
}

function protection(endpoint: string): Rec {
  return { kind: 'protection', endpoint, by, at: now }
}

test('nothing that is missing is said to be nothing, and is not acknowledged', () => {
  expect(says({})).toBe('As far as the audit tells nothing is missing.')
  expect(acknowledgedIn(none)).toBeUndefined()
})

test('what is gone is named by kind and endpoint, a rule of the team as the team’s', () => {
  const once = { kind: 'once', id: '1', want: 'down', at: now + 1, owner: by } as const
  const away: Rec = { kind: 'away', who: by, to: by, at: 1, until: now + 1 }
  const gone: readonly Rec[] = [
    protection('ep-llm'),
    { ...once, endpoint: 'ep-tts' },
    { ...once, endpoint: 'ep-llm' },
    away,
  ]
  expect(says({ gone })).toBe('Gone: protections of my-llm; rules for my-tts, my-llm; stand-ins. Lay them down again.')
  expect(acknowledgedIn({ ...none, gone })?.records).toContain('protection:ep-llm')
})

test('of many only some are named', () => {
  const gone = Array.from({ length: 17 }, (_, at) => protection(`ep-${at}`))
  expect(says({ gone })).toBe('Gone: protections of my-0, my-1, my-2, my-3, my-4 and 12 more. Lay them down again.')
})

test('what would be over by now is not named', () => {
  const freeze: Rec = { kind: 'freeze', by, at: 1, until: now }
  expect(says({ gone: [freeze] })).toBe('As far as the audit tells nothing is missing.')
  expect(says({ gone: [{ ...freeze, until: null }] })).toBe('Gone: a freeze. Lay them down again.')
})

test('gaps are named by their entries', () => {
  const gap = (from: number, to: number) => ({ from, to, mac: '' })
  expect(says({ gaps: [gap(9, 9)] })).toContain('In the audit entry 9 is missing or not as written')
  expect(says({ gaps: [{ ...gap(43, 44), there: true }] })).toContain(
    'In the audit entry 43 (and with it the proof of entry 44, which is there) is missing or not as written',
  )
  expect(says({ gaps: [gap(2, 4), gap(9, 9), gap(12, 11)] })).toContain(
    'In the audit entries 2 to 4, entry 9, what stands before entry 12 are missing or not as written',
  )
})
