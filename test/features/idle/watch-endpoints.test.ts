import { expect, test } from 'vitest'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import type { Services } from '../../../src/core/ports/services.ts'
import { lastReading, watchAll } from '../../../src/features/idle/watch-endpoints.ts'
import { peopled, policyWith } from '../../support/memory/cast.ts'

const minute = 60_000

test('After the clock was set back, an endpoint is looked at, and its newest reading counts', async () => {
  const { services: plain, clock } = peopled(policyWith({ stop: 'confirmation' }))
  const endpoints: Endpoint[] = [{ id: 'ep-0', name: 'my-llm', active: true, url: 'https://serving.invalid' }]
  const evidence = { servers: [], requests: 0, open: 0, replicas: 1, seen: 1, logs: 0 }
  let state = 'quiet'
  const watch = { look: async () => ({ reading: { state, why: state, evidence }, watched: null }) }
  const platform = {
    ...plain.platform,
    list: async () => ({ kind: 'answered', answer: endpoints }),
    send: async () => ({ kind: 'answered', answer: [] }),
  }
  const services = { ...plain, platform, watch } as unknown as Services
  await watchAll(services)
  clock.pass(20 * minute)
  await watchAll(services)
  clock.pass(-15 * minute)
  state = 'busy'
  expect(await lastReading(services, 'ep-0')).toBeNull()
  await watchAll(services)
  expect(await lastReading(services, 'ep-0')).toMatchObject({ state: 'busy' })
  const { segments = [] } = (await plain.store.watchedOf('ep-0')) ?? {}
  expect(segments.every(({ to }) => to <= clock.now())).toBe(true)
})

test('A round reads few replicas of endpoints without rules, but often those of an endpoint with a rule', async () => {
  const { services: plain, clock } = peopled(policyWith({ stop: 'confirmation' }))
  const endpoints: Endpoint[] = Array.from({ length: 3_000 }, (_, n) => {
    return { id: `ep-${n}`, name: `llm-${n}`, active: true, url: 'https://serving.invalid' }
  })
  const read: string[] = []
  const send = async (call: { readonly params: { readonly path: { readonly endpoint_id: string } } }) => {
    read.push(call.params.path.endpoint_id)
    return { kind: 'answered', answer: [] }
  }
  const look = async () => ({
    reading: {
      state: 'unknown',
      why: 'a test',
      evidence: { servers: [], requests: 0, open: 0, replicas: 0, seen: 0, logs: 0 },
    },
    watched: null,
  })
  const platform = { ...plain.platform, list: async () => ({ kind: 'answered', answer: endpoints }), send }
  const services = { ...plain, platform, watch: { look } } as unknown as Services
  const owner = { team: 'T0HOME', user: 'U0ANA' }
  const stop = { kind: 'once', id: 'o', endpoint: 'ep-7', want: 'down', at: clock.now() + 90 * minute, owner } as const
  await plain.store.write({ put: [stop] }, [])
  const rounds: (readonly string[])[] = []
  for (let round = 0; round < 12; round += 1) {
    read.length = 0
    await watchAll(services)
    rounds.push([...read])
    clock.pass(minute)
  }
  expect(Math.max(...rounds.map(({ length }) => length))).toBeLessThanOrEqual(51)
  expect(new Set(rounds.flat()).size).toBeGreaterThan(500)
  expect(rounds.filter((ids) => ids.includes('ep-7')).length).toBeGreaterThan(1)
})
