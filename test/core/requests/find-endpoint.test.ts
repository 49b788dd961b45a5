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
