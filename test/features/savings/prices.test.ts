import { describe, expect, test } from 'vitest'
import { noPrices, type Prices } from '../../../src/core/model/automation.ts'
import type { InstanceType } from '../../../src/core/model/endpoint.ts'
import { pricesIn, pricesOver } from '../../../src/features/savings/prices.ts'

function type(names: readonly string[], perHour: number, more: Partial<InstanceType> = {}): InstanceType {
  return { names, perHour, currency: 'KRW', ...more }
}
function prices(perHour: Readonly<Record<string, number>>, currency = 'KRW'): Prices {
  return { currency, perHour: new Map(Object.entries(perHour)) }
}

describe('The platform’s price list', () => {
  test('gives a price to each name of an instance type, and to its GPU if it has just one', () => {
    const listed = pricesIn([
      type(['gpu-a100-1x', 'A100 80 GB'], 3000, { gpu: 'A100' }),
      type(['gpu-a100-8x'], 24_000),
      type(['free'], 0),
      { names: ['unknown'] },
    ])
    expect(listed).toEqual(prices({ 'gpu-a100-1x': 3000, 'A100 80 GB': 3000, A100: 3000, 'gpu-a100-8x': 24_000 }))
  })

  test('has no price for a name shared by two types', () => {
    const listed = pricesIn([type(['small', 'A100'], 10), type(['large', 'A100'], 20), type(['spare', 'A10'], 5)])
    expect(listed.perHour.get('A100')).toBeUndefined()
    expect(listed.perHour.get('small')).toBe(10)
    const byGpu = pricesIn([type(['one'], 10, { gpu: 'A100' }), type(['two'], 20, { gpu: 'A100' })])
    expect([...byGpu.perHour.keys()]).toEqual(['one', 'two'])
  })

  test('prefers a type’s own name to the GPU of another type', () => {
    const listed = pricesIn([type(['A100'], 30), type(['spot'], 10, { gpu: 'A100' })])
    expect(listed.perHour.get('A100')).toBe(30)
  })

  test('uses one currency', () => {
    const listed = pricesIn([type(['one'], 1, { currency: 'USD' }), type(['two'], 2000), type(['three'], 3000)])
    expect(listed).toEqual(prices({ two: 2000, three: 3000 }))
    expect(pricesIn([])).toEqual(noPrices)
    expect(pricesIn([type(['one'], 1, { currency: '<!channel>' })])).toEqual(noPrices)
  })
})

describe('The prices in force', () => {
  const listed = prices({ A100: 3000, 'RTX 4090': 744 })

  test('are the platform’s if the policy has none', () => {
    expect(pricesOver(noPrices, listed)).toEqual(listed)
    expect(pricesOver(noPrices, null)).toEqual(noPrices)
  })

  test('are the policy’s first, then the platform’s in the same currency', () => {
    expect(pricesOver(prices({ A100: 2500 }), listed)).toEqual(prices({ A100: 2500, 'RTX 4090': 744 }))
    expect(pricesOver(prices({ A100: 2 }, 'USD'), listed)).toEqual(prices({ A100: 2 }, 'USD'))
  })

  test('leave out what the policy marks as reserved', () => {
    expect(pricesOver(prices({ A100: 0 }), listed)).toEqual(prices({ 'RTX 4090': 744 }))
  })
})
