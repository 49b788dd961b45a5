import { expect, test } from 'vitest'
import type { Services } from '../../../src/core/ports/services.ts'
import { tick } from '../../../src/features/schedules/tick.ts'

test('In an outage of the platform, only its client logs: a check that cannot list says only that it did not look', async () => {
  const logged: string[] = []
  const tell = (_: object, message: string): void => void logged.push(message)
  const services = {
    project: 'default',
    clock: { now: () => 0 },
    log: { info: tell, warn: tell, error: tell },
    policy: () => ({ automation: { team: [{}] } }),
    store: {
      records: async () => new Map(),
      reconcileStates: async () => new Map(),
      takeTurn: async () => async () => undefined,
    },
    platform: { list: async () => ({ kind: 'unreached', says: 'It does not answer.' }) },
  } as unknown as Services
  expect(await tick(services)).toEqual({ looked: false })
  expect(logged).toEqual([])
})
