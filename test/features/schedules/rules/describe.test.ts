import { expect, test } from 'vitest'
import type { Rules } from '../../../../src/core/model/rules.ts'
import { withInstants } from '../../../../src/core/time/format.ts'
import { nextChange } from '../../../../src/features/schedules/rules/coming.ts'
import { decidedText, endOfOneOff } from '../../../../src/features/schedules/rules/describe.ts'
import { english } from '../../../support/words.ts'
import { at, hold, nothing, once, weekly } from '../schedule.ts'

const office = { weekly: [weekly('r1', 'up weekdays 09:00-20:00')] }
// A Friday in Seoul, where clocks are nine hours ahead of UTC.
const noon = at('2026-11-20 12:00')

test.each<[string, Partial<Rules>, string]>([
  ['nothing', {}, ''],
  [
    'a window',
    office,
    'Running until 2026-11-20T11:00Z (schedule: running weekdays 09:00–20:00 Seoul time), then stops.',
  ],
  [
    'a window that only stops',
    { weekly: [weekly('r1', 'down sat-sun')] },
    'Left alone until 2026-11-20T15:00Z, then stops.',
  ],
  [
    'somebody who keeps it',
    { ...office, holds: [hold('h1', '2026-11-20 11:00', '2026-11-20 22:00')] },
    'Left alone until 2026-11-20T13:00Z (@U1 paused its automation), then stops.',
  ],
  [
    'a one-off',
    { once: [once('o1', 'up', '2026-11-20 11:00', '2026-11-20 13:00')] },
    'Running until 2026-11-20T04:00Z (one-time request), then stops.',
  ],
  [
    'a freeze without an end',
    { ...office, freeze: { at: noon - 1, until: null } },
    'Left alone (automation is paused).',
  ],
  ['protection', { weekly: [weekly('r1', 'down daily')], protected: true }, 'Left alone (it’s protected).'],
  [
    'protection later on',
    { ...office, protected: true },
    'Running until 2026-11-20T11:00Z (schedule: running weekdays 09:00–20:00 Seoul time), then is left alone (it’s protected).',
  ],
])('The text for %s says what decides and what is next', (_, rules, says) => {
  expect(withInstants(english(decidedText({ ...nothing, ...rules }, noon)))).toBe(says)
})

test('The text for an endpoint that isn’t as wanted says what it should be', () => {
  const text = (seen: object) => english(decidedText({ ...nothing, ...office }, noon, { name: 'my-llm', ...seen }))
  expect(text({ active: true })).toMatch(/^my-llm is running until/)
  for (const seen of [{ active: false }, { active: true, status: 'DEPLOYING' }, { active: true, status: 'UNHEALTHY' }])
    expect(text(seen)).toMatch(/^my-llm should be running until/)
})

test('A planned stop is never given as the reason why an endpoint is stopped, before or after its time', () => {
  const text = (rules: Partial<Rules>) => english(decidedText({ ...nothing, ...rules }, noon, { active: false }))
  for (const at of ['2026-11-20 11:00', '2026-11-20 13:00']) expect(text({ once: [once('o1', 'down', at)] })).toBe('')
  expect(text({ once: [once('o1', 'up', '2026-11-20 09:00', '2026-11-20 11:00')] })).toBe('')
  expect(text({ weekly: [weekly('r1', 'down sat-sun')] })).toBe('')
  expect(text({ weekly: [weekly('r1', 'down daily')] })).toMatch(/^Stopped/)
})

test('An endpoint running past its planned end says so', () => {
  const rules = { ...nothing, once: [once('o1', 'up', '2026-11-20 09:00', '2026-11-20 11:00')] }
  expect(withInstants(english(decidedText(rules, noon, { active: true })))).toBe(
    'It should have been stopped 2026-11-20T02:00Z, but is still running.',
  )
})

test('A running endpoint whose stop its hours would undo during the warning is left alone', () => {
  const rules = { ...nothing, ...office, notice: 600_000 }
  const early = at('2026-11-20 08:55')
  const seen = { active: true, name: 'my-llm' }
  expect(english(decidedText(rules, early, seen))).toMatch(/^my-llm is left alone until/)
  expect(english(decidedText(rules, early - 600_000, seen))).toMatch(/^my-llm should be stopped until/)
})

test('The next change is a change of state, not of the rule that decides', () => {
  const both = { ...nothing, ...office, once: [once('o1', 'up', '2026-11-20 11:00', '2026-11-20 18:00')] }
  expect(nextChange(both, noon)).toMatchObject({ at: at('2026-11-20 20:00'), want: 'down' })
})

test.each<[string, Partial<Rules>, string, string]>([
  ['by nothing', {}, '12:00', 'A warning is posted before the stop.'],
  ['by its schedule', office, '12:00', 'It stops before that: 2026-11-20T11:00Z, on its schedule.'],
  ['by its schedule, whose time has come', office, '20:30', 'It’s stopped before that anyway.'],
  [
    'by its schedule, after a pause',
    { ...office, holds: [hold('h1', '2026-11-20 19:50', '2026-11-20 21:00')] },
    '20:30',
    'It stops before that: 2026-11-20T12:00Z, on its schedule.',
  ],
  [
    'by an earlier request, after a pause',
    {
      once: [once('o1', 'down', '2026-11-20 20:00')],
      holds: [hold('h1', '2026-11-20 19:00', '2026-11-20 21:00')],
    },
    '19:30',
    'It stops before that: 2026-11-20T12:00Z, after the pause.',
  ],
  [
    'by an earlier request',
    { once: [once('o1', 'down', '2026-11-20 21:00')] },
    '12:00',
    'It stops before that: 2026-11-20T12:00Z, as planned.',
  ],
])('A stop at 22:00 of an endpoint that is stopped before that %s', (_, more, time, says) => {
  const asked = once('o2', 'down', '2026-11-20 22:00')
  const found = endOfOneOff({ ...nothing, ...more }, asked, at(`2026-11-20 ${time}`))
  expect(withInstants(english(found))).toBe(says)
})

test.each(['12:00', '20:30'])(
  'A stop after a weekend that its schedule begins sooner and ends before: at %s',
  (time) => {
    const asked = once('o2', 'down', '2026-11-23 19:00')
    expect(english(endOfOneOff({ ...nothing, ...office }, asked, at(`2026-11-20 ${time}`)))).toBe(
      'A warning is posted before the stop.',
    )
  },
)

test('A run is not called paused because a planned stop ends it first', () => {
  const stop = once('o1', 'down', '2026-11-20 20:00')
  const run = once('o2', 'up', '2026-11-20 12:00', '2026-12-29 10:00')
  const found = endOfOneOff({ ...nothing, once: [stop] }, run, at('2026-11-20 12:00'))
  expect(withInstants(english(found))).toBe('It stops before that: 2026-11-20T11:00Z, as planned.')
})

test.each([
  ['2026-11-21 09:00', 'it stops 2026-11-21T00:00Z, not sooner.'],
  ['2026-11-23 09:00', 'nothing stops it unless someone resumes automation.'],
])('A stop during a pause until %s', (end, says) => {
  const held = { ...nothing, holds: [hold('h1', '2026-11-20 11:00', end)] }
  const found = endOfOneOff(held, once('o1', 'down', '2026-11-20 22:00'), at('2026-11-20 12:00'))
  expect(withInstants(english(found))).toBe(`Automation is paused, so ${says}`)
})
