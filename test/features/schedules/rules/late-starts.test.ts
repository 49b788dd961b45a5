import { expect, test } from 'vitest'
import { say } from '../../../../src/core/model/words.ts'
import { asText } from '../../../../src/core/words/render.ts'
import { withLateness } from '../../../../src/features/schedules/look.ts'
import { isWorthStarting } from '../../../../src/features/schedules/rules/reconcile-decision.ts'
import { english } from '../../../support/words.ts'

const minute = 60_000
const hour = 60 * minute

test.each([
  ['on time, in a window of ten minutes', 10 * minute, 0, true],
  ['half an hour before the end of a long day', 11 * hour, 10.5 * hour, true],
  ['a minute later than that', 11 * hour, 10.5 * hour + minute, false],
  ['with a quarter of an hour window left', hour, 45 * minute, true],
  ['with less than a quarter of it left', hour, 46 * minute, false],
  ['with half an hour of an hour left', hour, 30 * minute, true],
  ['when the time is over', hour, hour, false],
  ['long after', hour, 30 * hour, false],
])('A missed start %s is judged by the time that remains', (_, length, late, worth) => {
  expect(isWorthStarting(1_000, 1_000 + length, 1_000 + late)).toBe(worth)
})

test('A start without an end is always worthwhile', () => {
  expect(isWorthStarting(0, null, 400 * 24 * hour)).toBe(true)
})

test('Only the latest lateness appears in the reason', () => {
  const late = withLateness(['It is active, 3 replicas.', say('rule.byRequest')], 9 * hour)
  expect(english(late)).toBe('It is active, 3 replicas. It’s a one-time request. 9 h later than planned.')
  const later = withLateness(['It is active.', late], 41 * minute)
  expect(english(later)).toBe(
    'It is active. It is active, 3 replicas. It’s a one-time request. 41 min later than planned.',
  )
  expect(english(withLateness(withLateness('', 9 * hour + 5 * minute), 3 * 24 * hour))).toBe('3 d later than planned.')
  expect(asText(withLateness('', 52 * minute), 'ko')).toBe('예정보다 52분 늦음.')
})
