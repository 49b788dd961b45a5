import { expect, test } from 'vitest'
import { createLimiter } from '../../../src/adapters/metrics/watch.ts'

test('Probes start no closer together than the given interval', async () => {
  const turn = createLimiter(50)
  const before = performance.now()
  await Promise.all(Array.from({ length: 4 }, turn))
  expect(performance.now() - before).toBeGreaterThanOrEqual(57)
})
