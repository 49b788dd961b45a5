import { expect, test } from 'vitest'
import { sparingly } from '../../src/core/ports/meter.ts'
import type { Services } from '../../src/core/ports/services.ts'
import { refresh } from '../../src/lifecycle/rounds.ts'

test('A platform that can’t be reached is logged once, not at every look', async () => {
  const warned: string[] = []
  const services = {
    project: 'default',
    store: { names: () => Promise.resolve(null) },
    clock: { now: () => 60_000 },
    platform: { list: () => Promise.resolve({ kind: 'unreached', says: 'It does not answer.' }) },
  } as unknown as Services
  const warn = sparingly({ warn: (_: object, says: string) => void warned.push(says) })
  for (let look = 0; look < 3; look += 1) await refresh(services, () => Promise.resolve(true), warn)
  expect(warned).toEqual(['could not list the endpoints'])
})
