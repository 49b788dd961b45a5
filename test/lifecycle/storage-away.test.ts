import { beforeEach, expect, test } from 'vitest'
import type { Services } from '../../src/core/ports/services.ts'
import { tick } from '../../src/features/schedules/tick.ts'
import { advance, sweep } from '../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { presses, type Stage, staged, swept, types } from '../support/memory/stage.ts'

/* The storage is away while a warning waits for objections, and a worker's sweep gets no answer. */

const minute = 60_000
let stage: Stage
beforeEach(() => {
  stage = staged(peopled(policyWith({ stop: 'confirmation' })))
})

/** Sweeps once. The answer of the storage, or its error, comes after some minutes. */
async function sweeps(lasting = 0, comes = true): Promise<void> {
  const { services, clock } = stage
  const due: Services['store']['due'] = async (...asked) => {
    await Promise.resolve()
    clock.pass(lasting * minute)
    if (!comes) throw new Error('Connection is closed.')
    return services.store.due(...asked)
  }
  await sweep({ ...services, store: { ...services.store, due } }, (id) => advance(services, id))
}

/** Announces a stop of my-llm, due in ten minutes. */
async function warned(): Promise<void> {
  const { clock } = stage
  const due = new Date(clock.now() + 11 * minute).toISOString().slice(11, 16)
  await types(stage, 'U0ANA', `schedule my-llm down daily ${due}-23:59 UTC`, 'C0OPS')
  await swept(stage)
  await presses(stage, 'U0ANA', stage.requests.at(-1) ?? '', true)
  await swept(stage)
  clock.pass(minute)
  await tick(stage.services)
  await swept(stage)
  clock.pass(5 * minute)
  await sweeps()
}

function effects(): readonly string[] {
  return stage.platform.effects.map(({ what }) => what)
}

test.each([
  ['answers late', async () => sweeps(8)],
  [
    'first refuses',
    async () => {
      await expect(sweeps(2, false)).rejects.toThrow()
      await expect(sweeps(6, false)).rejects.toThrow()
    },
  ],
])('A stop whose time came while the storage was away (which %s) leaves people five minutes', async (_, outage) => {
  await warned()
  await outage()
  await sweeps()
  expect(effects()).toEqual([])
  stage.clock.pass(4 * minute)
  await sweeps()
  expect(effects()).toEqual([])
  stage.clock.pass(minute)
  await sweeps()
  expect(effects()).toEqual(['stop'])
})

test('A stop is in time if the storage was away for a moment, or long before', async () => {
  await warned()
  await sweeps(0.2)
  stage.clock.pass(5 * minute)
  await sweeps()
  expect(effects()).toEqual(['stop'])
})

test('A storage that is away every few minutes puts a stop off for two hours, not for ever', async () => {
  await warned()
  const begun = stage.clock.now()
  while (effects().length === 0 && stage.clock.now() - begun < 300 * minute) {
    await sweeps(1)
    stage.clock.pass(2 * minute)
  }
  expect(effects()).toEqual(['stop'])
  expect(stage.clock.now() - begun).toBeGreaterThan(120 * minute)
})
