import { expect, test } from 'vitest'
import { keyOf, withoutLookedHolds } from '../../../src/core/model/records.ts'
import type { Hold, OneOff } from '../../../src/core/model/rules.ts'

const ana = { team: 'T0HOME', user: 'U0ANA' }
const run: OneOff = { kind: 'once', id: 'r1', endpoint: 'ep-0', want: 'up', at: 1_000, until: 9_000, owner: ana }
const looked: Hold = { kind: 'hold', id: 'h1', endpoint: 'ep-0', at: 500, until: 9_000, by: 'console' }
const key = keyOf(looked)

test('a start at once ends the hold of a look, which is nothing that people agree to', () => {
  expect(withoutLookedHolds({ put: [run], drop: [key] }, new Map([[key, looked]]))).toEqual({ put: [run] })
  expect(withoutLookedHolds({ put: [run], drop: ['rule:r0', key] }, new Map([[key, looked]])).drop).toEqual(['rule:r0'])
})

test.each<readonly [string, Hold, readonly OneOff[]]>([
  ['the end of a pause is all that people agree to', looked, []],
  ['a person’s hold', { ...looked, by: ana }, [run]],
  ['a hold of a person’s start', { ...looked, by: ana, against: true }, [run]],
  ['a hold that others rely on', { ...looked, also: [{ by: ana, until: 9_000 }] }, [run]],
  ['a run that only gets an end', looked, [{ ...run, ran: true }]],
])('%s stays', (_, hold, put) => {
  const change = { put, drop: [key] }
  expect(withoutLookedHolds(change, new Map([[key, hold]]))).toBe(change)
})
