import { expect, test } from 'vitest'
import { createLimiter } from '../../../src/adapters/metrics/watch.ts'

test('Only so many probes are under way at once, and all come to their turn in order', async () => {
  const run = createLimiter(3, 100_000)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = Array.from({ length: 7 }, (_, i) =>
    run(async () => {
      begun.push(i)
      await new Promise<void>((resolve) => ends.push(resolve))
      return i
    }),
  )
  for (const under of [3, 4, 5, 6, 7]) {
    await expect.poll(() => begun.length).toBe(under)
    ends.shift()?.()
  }
  for (const end of ends) end()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('A probe that fails makes room for the next', async () => {
  const run = createLimiter(1, 100_000)
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await run(async () => 'yes')).toBe('yes')
})

test('Probes begin no closer together than they may', async () => {
  const run = createLimiter(10, 50)
  const before = performance.now()
  await Promise.all(Array.from({ length: 4 }, () => run(async () => undefined)))
  expect(performance.now() - before).toBeGreaterThanOrEqual(57)
})
