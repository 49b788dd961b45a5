import { expect, test } from 'vitest'
import { inCurrency, noPrices } from '../../../src/core/model/automation.ts'
import { costsIn } from '../../../src/features/savings/format.ts'
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
  isOpen: false,
  stoppedUntil: (to: number) => to - due,
  zone: 'Asia/Seoul',
  keep: 48 * hour,
}
const latest = due - 600_000 + 48 * hour

test('Keeping an endpoint running costs the hours of all its replicas, for each choice', () => {
  expect(costsOf(prices, llm, choice)).toEqual({
    skip: '$137',
    hour: '$2.25',
    perMinute: 0.0375,
    currency: 'USD',
    morning: '$29',
    morningAt: due + 13 * hour,
    until: due + 61 * hour,
    latest,
  })
})

test('Skipping the stop of an endpoint that nothing would start again costs by the hour', () => {
  const { skip, open, hour: each } = costsOf(prices, llm, { ...choice, isOpen: true })
  expect([skip, open, each]).toEqual([undefined, true, '$2.25'])
})

test('A small cost is not rounded to a whole amount', () => {
  expect(costsOf(prices, { ...llm, replicas: 1 }, choice)).toMatchObject({ hour: '$0.75', morning: '$9.75' })
})

test('Tomorrow counts from the warning, even if the stop is past midnight', () => {
  const late = {
    ...choice,
    now: due + 3.9 * hour,
    due: due + 4.5 * hour,
    stoppedUntil: (to: number) => to - due - 4.5 * hour,
  }
  expect(costsOf(prices, llm, late)).toMatchObject({ morning: '$19' })
})

test('Keeping until the morning costs only the hours in which the rules would have it stopped', () => {
  const stoppedUntil = (to: number) => (to === due + 13 * hour ? 2 * hour : 0)
  expect(costsOf(prices, llm, { ...choice, stoppedUntil })).toMatchObject({ morning: '$4.50' })
})

test('A morning within two hours after the stop is passed over for the next one', () => {
  const morningAfter = (hours: number) => costsOf(prices, llm, { ...choice, due: due + hours * hour }).morningAt
  expect([10.9, 11.1].map(morningAfter)).toEqual([due + 13 * hour, due + 37 * hour])
})

test('Money is formatted per currency', () => {
  const hourIn = (currency: string) => costsOf({ ...prices, currency }, llm, choice).hour
  expect(['USD', 'EUR', 'GBP', 'CHF'].map(hourIn)).toEqual(['$2.25', '€2.25', '£2.25', 'CHF 2.25'])
  expect([inCurrency(850.4, 'KRW'), inCurrency(41_674, 'KRW', 10), inCurrency(1_643.2, 'USD')]).toEqual([
    '₩850',
    '₩41,674',
    '$1,643',
  ])
})

test('The same night costs the same for every choice', () => {
  const { skip, morning } = costsOf(prices, llm, { ...choice, until: due + 13 * hour })
  expect([skip, morning]).toEqual(['$29', '$29'])
  const some = costsOf(prices, llm, choice)
  expect([costOfMinutes(some, 30), costOfMinutes({ latest }, 30)]).toEqual(['$1.13', null])
})

test('Running endpoints add up to an hour and a month, and the most expensive of several is named', () => {
  const { totalOf } = costsIn(prices)
  const one = { id: 'a', name: 'a', active: true, replicas: 1, gpu: 'RTX 4090' }
  const two = { ...one, id: 'b', name: 'b', replicas: 2 }
  expect(totalOf([one, two])).toEqual({ hour: '$2.25', month: '$1,643', dearest: 'b', unpriced: 0 })
  const alone = { hour: '$0.75', month: '$548', dearest: 'none', unpriced: 0 }
  expect(totalOf([one, { ...two, active: false }])).toEqual(alone)
  expect(totalOf([one, { ...two, gpu: 'unknown' }])).toEqual({ ...alone, unpriced: 1 })
  expect(totalOf([{ ...one, active: false }])).toBeUndefined()
})

test('No cost is given without a price, a replica count, an end or a zone', () => {
  const nowhere = { ...choice, zone: null }
  const { until } = choice
  expect(costsOf(noPrices, llm, nowhere)).toEqual({ until, latest })
  expect(costsOf(prices, { gpu: 'H200', replicas: 1 }, nowhere)).toEqual({ until, latest })
  expect(costsOf(prices, { replicas: 3 }, nowhere)).toEqual({ until, latest })
  expect(costsOf(prices, { gpu: 'RTX 4090' }, nowhere)).toEqual({ until, latest })
  const unending = costsOf(prices, llm, { ...nowhere, until: null })
  expect(unending).toEqual({ hour: '$2.25', perMinute: 0.0375, currency: 'USD', latest })
})

test('The morning is known without a price', () => {
  expect(costsOf(noPrices, llm, choice)).toEqual({
    morningAt: due + 13 * hour,
    until: choice.until,
    latest,
  })
})

test('The longest keep counts from the warning, in full minutes', () => {
  expect(costsOf(noPrices, llm, { ...choice, now: due - 570_000, keep: hour }).latest).toBe(due + hour - 600_000)
})
