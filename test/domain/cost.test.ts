import { expect, test } from 'vitest'
import { noPrices } from '../../src/domain/automation.ts'
import { costsOf } from '../../src/domain/cost.ts'

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
    skip: '137.25 USD',
    hour: '2.25 USD',
    morning: '29 USD',
    morningAt: due + 13 * hour,
    saved: '138 USD until Mon 09:00',
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
  expect(savedBy({ up: due + 13 * hour })).toBe('30 USD until 09:00')
  expect(savedBy({ up: null })).toBe('30 USD until 09:00')
  expect(savedBy({ up: due + 13 * 24 * hour })).toBe('702 USD until 2026-12-03')
  expect(savedBy({ zone: null })).toBeUndefined()
})

test('nothing is said where no price, no number of replicas, no end or no zone is known', () => {
  const nowhere = { ...choice, zone: null }
  expect(costsOf(noPrices, llm, nowhere)).toEqual({ latest })
  expect(costsOf(prices, { gpu: 'H200', replicas: 1 }, nowhere)).toEqual({ latest })
  expect(costsOf(prices, { replicas: 3 }, nowhere)).toEqual({ latest })
  expect(costsOf(prices, { gpu: 'RTX 4090' }, nowhere)).toEqual({ latest })
  expect(costsOf(prices, llm, { ...nowhere, until: null })).toEqual({ hour: '2.25 USD', latest })
})

test('the morning that is meant is known without a price', () => {
  expect(costsOf(noPrices, llm, choice)).toEqual({ morningAt: due + 13 * hour, latest })
})

test('how long it may be kept counts from when people are told, in full minutes', () => {
  expect(costsOf(noPrices, llm, { ...choice, now: due - 570_000, keep: hour }).latest).toBe(due + hour - 600_000)
})
