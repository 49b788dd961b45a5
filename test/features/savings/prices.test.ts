import { describe, expect, test } from 'vitest'
import { noPrices, type Prices } from '../../../src/core/model/automation.ts'
import type { InstanceType } from '../../../src/core/model/endpoint.ts'
import type { Outcome } from '../../../src/core/ports/platform.ts'
import { plainText } from '../../../src/core/words/plain.ts'
import { priceCheck, pricesIn, pricesOver, refreshPrices } from '../../../src/features/savings/prices.ts'

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

describe('The platform’s list', () => {
  const key = { kind: 'refused', status: 401, says: 'Invalid API key' } as const
  const away = { kind: 'unreached', says: 'It does not answer.' } as const
  const none = { kind: 'refused', status: 404, says: 'Not Found' } as const

  /** Returns the prices kept after these answers, what doctor says, and how often the turn was given back. */
  async function readAs(...answers: readonly Outcome<readonly InstanceType[]>[]) {
    const keep: Prices[] = []
    let returned = 0
    const store = {
      prices: async () => keep.at(-1) ?? null,
      rememberPrices: async (listed: Prices) => void keep.push(listed),
    }
    const turn = { take: async () => true, giveBack: async () => void returned++ }
    for (const answer of answers)
      await refreshPrices({ platform: { instanceTypes: async () => answer }, store } as never, turn)
    const { says } = await priceCheck({ store, policy: () => ({ prices: noPrices }) } as never)
    return { kept: keep.at(-1) ?? null, returned, says: plainText(says, 'en') }
  }

  test.each([key, away])('is soon read again if it could not be read: $says', async (answer) => {
    expect(await readAs(answer)).toMatchObject({
      kept: null,
      returned: 1,
      says: expect.stringContaining('hasn’t been read'),
    })
    const read = await readAs(answer, { kind: 'answered', answer: [type(['A100'], 30)] }, answer)
    expect(read).toMatchObject({ kept: prices({ A100: 30 }), says: expect.stringContaining('1 from the platform') })
  })

  test('is empty, and soon enough read again, if the platform has none', async () => {
    expect(await readAs(none)).toMatchObject({
      kept: noPrices,
      returned: 0,
      says: expect.stringContaining('No prices'),
    })
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
