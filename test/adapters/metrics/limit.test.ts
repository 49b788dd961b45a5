import { expect, test } from 'vitest'
import { createLimiter } from '../../../src/adapters/metrics/watch.ts'

test('A limited number of probes run at once, and the others follow in order', async () => {
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

test('A failed probe makes room for the next one', async () => {
  const run = createLimiter(1, 100_000)
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await run(async () => 'yes')).toBe('yes')
})

test('Probes start no closer together than the given interval', async () => {
  const run = createLimiter(10, 50)
  const before = performance.now()
  await Promise.all(Array.from({ length: 4 }, () => run(async () => undefined)))
  expect(performance.now() - before).toBeGreaterThanOrEqual(57)
})
