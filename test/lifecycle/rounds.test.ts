import { expect, test } from 'vitest'
import { sparingly } from '../../src/core/ports/meter.ts'
import type { Services } from '../../src/core/ports/services.ts'
import { refresh } from '../../src/lifecycle/rounds.ts'

test('A platform that can’t be reached is logged once, not at every look, and so is the end of it', async () => {
  const warned: string[] = []
  let answer: object = { kind: 'unreached', says: 'It does not answer.' }
  const services = {
    project: 'default',
    store: { names: () => Promise.resolve(null), rememberNames: () => Promise.resolve() },
    clock: { now: () => 60_000 },
    platform: { list: () => Promise.resolve(answer) },
  } as unknown as Services
  const warn = sparingly({ warn: (_: object, says: string) => void warned.push(says) })
  for (let look = 0; look < 3; look += 1) await refresh(services, () => Promise.resolve(true), warn)
  expect(warned).toEqual(['could not list the endpoints'])
  answer = { kind: 'answered', answer: [] }
  for (let look = 0; look < 3; look += 1) await refresh(services, () => Promise.resolve(true), warn)
  expect(warned.slice(1)).toEqual(['the endpoints can be listed again'])
})
