import { expect, test } from 'vitest'
import { noPrices } from '../../../src/core/model/automation.ts'
import { costOfMinutes, costsOf } from '../../../src/features/savings/prices.ts'

const hour = 3_600_000
const prices = { currency: 'USD', perHour: new Map([['RTX 4090', 0.75]]) }
const llm = { gpu: 'RTX 4090', replicas: 3 }
// A Friday, 20:00 in Seoul.
const due = Date.UTC(2026, 10, 20, 11)
const choice = {
  now: due - 600_000,
  due,
  until: due + 61 * hour,
  up: due + 61 * hour,
  zone: 'Asia/Seoul',
  keep: 48 * hour,
}
const latest = due - 600_000 + 48 * hour

test('leaving an endpoint up costs the hours of all its replicas, by each way to do so', () => {
  expect(costsOf(prices, llm, choice)).toEqual({
    skip: '137 USD',
    hour: '2.25 USD',
    perMinute: 0.0375,
    currency: 'USD',
    morning: '29 USD',
    morningAt: due + 13 * hour,
    saved: '138 USD until Mon 09:00 Seoul',
    place: 'Seoul',
    until: due + 61 * hour,
    latest,
  })
})

test('a morning that costs little is not rounded to nothing', () => {
  expect(costsOf(prices, { ...llm, replicas: 1 }, choice)).toMatchObject({ hour: '0.75 USD', morning: '9.75 USD' })
})

test('tomorrow is meant from when people are told, also where the stop is past midnight', () => {
  const late = { ...choice, now: due + 3.9 * hour, due: due + 4.5 * hour }
  expect(costsOf(prices, llm, late)).toMatchObject({ morning: '19 USD' })
})

test('stopping at once saves what it costs until it would be started again, else until the next morning', () => {
  const savedBy = (more: object) => costsOf(prices, llm, { ...choice, ...more }).saved
  expect(savedBy({ up: due + 13 * hour })).toBe('30 USD until 09:00 Seoul')
  expect(savedBy({ up: null })).toBe('30 USD until 09:00 Seoul')
  expect(savedBy({ up: due + 13 * 24 * hour })).toBe('702 USD until 2026-12-03 Seoul')
  expect(savedBy({ zone: null })).toBeUndefined()
})

test('a clock is named with its day where another comes before it, and with its place', () => {
  // Past midnight the morning that is meant is that of the day after.
  const night = { ...choice, now: due + 5 * hour, due: due + 5.5 * hour, up: null, until: null }
  expect(costsOf(prices, llm, night).saved).toBe('72 USD until Sun 09:00 Seoul')
  const south = { ...choice, up: due + 13 * hour, zone: 'America/Argentina/Buenos_Aires' }
  expect(costsOf(prices, llm, south).saved).toBe('30 USD until 21:00 Buenos Aires')
})

test('the same night costs the same to read, whichever choice it belongs to', () => {
  const { skip, morning } = costsOf(prices, llm, { ...choice, until: due + 13 * hour })
  expect([skip, morning]).toEqual(['29 USD', '29 USD'])
  const some = costsOf(prices, llm, choice)
  expect([costOfMinutes(some, 30), costOfMinutes({ latest }, 30)]).toEqual(['1.13 USD', null])
})

test('nothing is said where no price, no number of replicas, no end or no zone is known', () => {
  const nowhere = { ...choice, zone: null }
  const { until } = choice
  expect(costsOf(noPrices, llm, nowhere)).toEqual({ until, latest })
  expect(costsOf(prices, { gpu: 'H200', replicas: 1 }, nowhere)).toEqual({ until, latest })
  expect(costsOf(prices, { replicas: 3 }, nowhere)).toEqual({ until, latest })
  expect(costsOf(prices, { gpu: 'RTX 4090' }, nowhere)).toEqual({ until, latest })
  const unending = costsOf(prices, llm, { ...nowhere, until: null })
  expect(unending).toEqual({ hour: '2.25 USD', perMinute: 0.0375, currency: 'USD', latest })
})

test('the morning that is meant is known without a price', () => {
  expect(costsOf(noPrices, llm, choice)).toEqual({
    morningAt: due + 13 * hour,
    place: 'Seoul',
    until: choice.until,
    latest,
  })
})

test('how long it may be kept counts from when people are told, in full minutes', () => {
  expect(costsOf(noPrices, llm, { ...choice, now: due - 570_000, keep: hour }).latest).toBe(due + hour - 600_000)
})
