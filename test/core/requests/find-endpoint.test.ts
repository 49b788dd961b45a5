import { expect, test } from 'vitest'
import type { Services } from '../../../src/core/ports/services.ts'
import { refresh } from '../../../src/core/requests/find-endpoint.ts'

test('The list for type-ahead is replaced by the platform’s next list, but not by an outage', async () => {
  const remembered: unknown[] = []
  let answer: object = { kind: 'unreached', says: 'It does not answer.' }
  const services = {
    store: { names: async () => null, rememberNames: async (listed: unknown) => void remembered.push(listed) },
    clock: { now: () => 60_000 },
    platform: { list: async () => answer },
  } as unknown as Services
  await refresh(services, async () => true)
  expect(remembered).toEqual([])
  answer = { kind: 'answered', answer: [] }
  await refresh(services, async () => false)
  expect(remembered).toEqual([])
  await refresh(services, async () => true)
  expect(remembered).toEqual([[]])
})

test.each([
  ['is fresh', 1_000_000, 0],
  ['is old', 900_000, 1],
  ['is from before the clock was set back', 4_600_000, 1],
])('The list for type-ahead is replaced unless it is fresh: it %s', async (_, at, times) => {
  const remembered: unknown[] = []
  const services = {
    store: { names: async () => ({ at, endpoints: [] }), rememberNames: async () => void remembered.push(at) },
    clock: { now: () => 1_000_000 },
    platform: { list: async () => ({ kind: 'answered', answer: [] }) },
  } as unknown as Services
  await refresh(services, async () => true)
  expect(remembered).toHaveLength(times)
})
