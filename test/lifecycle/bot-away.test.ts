import { beforeEach, expect, test } from 'vitest'
import { say } from '../../src/core/model/words.ts'
import { asText } from '../../src/core/words/render.ts'
import { tick } from '../../src/features/schedules/tick.ts'
import { advance, sweep } from '../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { presses, type Stage, staged, swept, types } from '../support/memory/stage.ts'

/* A warning ends while people cannot press: no bot is alive, or Redis is away. */

const minute = 60_000
let stage: Stage
/** Since when people can press, ms since 1970; null: they can't. */
let since: number | null
beforeEach(() => {
  stage = staged(peopled(policyWith({ stop: 'confirmation' })))
  since = 0
})

async function sweeps(): Promise<void> {
  const { services } = stage
  const store = { ...services.store, pressableSince: async () => since }
  await sweep({ ...services, store }, (id) => advance({ ...services, store }, id))
}

/** Hands in a stop of my-llm, due in ten minutes. */
async function handedIn(): Promise<void> {
  const { clock } = stage
  const due = new Date(clock.now() + 11 * minute).toISOString().slice(11, 16)
  await types(stage, 'U0ANA', `schedule my-llm down daily ${due}-23:59 UTC`, 'C0OPS')
  await swept(stage)
  await presses(stage, 'U0ANA', stage.requests.at(-1) ?? '', true)
  await swept(stage)
  clock.pass(minute)
  await tick(stage.services)
}

/** Announces that stop. */
async function warned(): Promise<void> {
  await handedIn()
  await swept(stage)
  stage.clock.pass(5 * minute)
  await sweeps()
}

function effects(): readonly string[] {
  return stage.platform.effects.map(({ what }) => what)
}

test.each([
  ['while Redis was away', () => stage.clock.now(), null],
  ['while no bot was alive', () => null, null],
  ['before the clock was set back', () => stage.clock.now() + 600 * minute, () => stage.clock.now()],
])('A stop whose time came %s leaves people five minutes', async (_, at, then) => {
  await warned()
  stage.clock.pass(8 * minute)
  since = at()
  await sweeps()
  since = then?.() ?? stage.clock.now()
  expect(effects()).toEqual([])
  stage.clock.pass(4 * minute)
  await sweeps()
  expect(effects()).toEqual([])
  stage.clock.pass(minute)
  await sweeps()
  expect(effects()).toEqual(['stop'])
})

test('The history says in Korean why a stop was put off', async () => {
  await warned()
  stage.clock.pass(8 * minute)
  since = stage.clock.now()
  await sweeps()
  const [stop] = await stage.store.open()
  const { what = '' } = (await stage.store.eventsOf(stop?.id ?? '')).at(-1) ?? {}
  expect(asText(say('history.what', { event: what.replaceAll(' ', '_'), what }), 'ko')).toBe('봇이 복구됨')
})

test('A stop is in time if people could press for the last five minutes', async () => {
  await warned()
  since = stage.clock.now()
  stage.clock.pass(5 * minute)
  await sweeps()
  expect(effects()).toEqual(['stop'])
})

test('A bot that comes and goes puts a stop off for two hours, not for ever', async () => {
  await warned()
  const begun = stage.clock.now()
  while (effects().length === 0 && stage.clock.now() - begun < 300 * minute) {
    stage.clock.pass(minute)
    since = stage.clock.now()
    await sweeps()
    stage.clock.pass(2 * minute)
  }
  expect(effects()).toEqual(['stop'])
  expect(stage.clock.now() - begun).toBeGreaterThan(120 * minute)
})

test('A stop that was announced long after it was handed in, and then missed, is late since its planned time', async () => {
  await handedIn()
  for (const minutes of [30, 60]) {
    stage.clock.pass(minutes * minute)
    await sweeps()
  }
  const [{ ask, due = 0 } = {}] = await stage.store.open()
  expect(asText(ask?.why ?? '', 'ko')).toContain('예정보다 1시간 30분 늦음.')
  expect((ask?.due ?? 0) - due).toBe(90 * minute)
})
