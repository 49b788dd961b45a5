import { expect, test } from 'vitest'
import { clash as clashOf } from '../../../../src/features/schedules/rules/describe.ts'
import { english } from '../../../support/words.ts'
import { weekly } from '../schedule.ts'

const office = weekly('r1', 'up weekdays 09:00-20:00')

function clash(...args: Parameters<typeof clashOf>): string | null {
  const found = clashOf(...args)
  return found && english(found)
}

test('The same rule twice is refused, however it was typed', () => {
  expect(clash([office], weekly('r2', 'up mon-fri 9:00-20:00'))).toBe(
    'This rule already exists: “running weekdays 09:00–20:00 Seoul time”.',
  )
})

test('Up and down at the same times are refused, because up would win', () => {
  expect(clash([office], weekly('r2', 'down fri 18:00-24:00'))).toBe(
    '“running weekdays 09:00–20:00 Seoul time” and “stopped fri 18:00–24:00 Seoul time” contradict each other: where ' +
      'both apply, the endpoint runs, so it wouldn’t be stopped fri 18:00–24:00. Outside “running weekdays 09:00–20:00 ' +
      'Seoul time” it’s stopped anyway. Shorten or remove one of the two.',
  )
  expect(clash([weekly('r2', 'down fri 18:00-24:00')], office)).toMatch(/so it wouldn’t be stopped fri 18:00–24:00\./)
})

test.each([
  ['down weekends', null],
  ['down weekdays 20:00-09:00', null],
  ['down weekdays 20:00-09:01', /contradict/],
  ['down sun 22:00-09:00', null],
  ['down sun 22:00-09:01', /contradict/],
  ['up weekdays 10:00-21:00', null],
])('Beside up weekdays 09:00-20:00, “%s” is judged by the minutes they share', (text, expected) => {
  const said = clash([office], weekly('r2', text))
  if (expected === null) expect(said).toBeNull()
  else expect(said).toMatch(expected)
})

test('Windows in different zones are compared by instant', () => {
  // 09:00 to 20:00 in Seoul is 00:00 to 11:00 in UTC.
  expect(clash([office], weekly('r2', 'down weekdays 11:00-24:00', { zone: 'UTC' }))).toBeNull()
  expect(clash([office], weekly('r2', 'down weekdays 10:00-24:00', { zone: 'UTC' }))).toMatch(/contradict/)
})

test('A team rule and an endpoint’s own rule never conflict, because the endpoint’s own comes first', () => {
  expect(clash([{ ...office, endpoint: null }], weekly('r2', 'down fri 18:00-24:00'))).toBeNull()
  expect(clash([{ ...office, endpoint: 'e2' }], weekly('r2', 'up weekdays 09:00-20:00'))).toBeNull()
})
