import { beforeEach, expect, test } from 'vitest'
import type { Request } from '../../src/core/model/request.ts'
import type { Services } from '../../src/core/ports/services.ts'
import { tick } from '../../src/features/schedules/tick.ts'
import { advance, sweep } from '../../src/lifecycle/advance.ts'
import { peopled, policyWith } from '../support/memory/cast.ts'
import { presses, type Stage, staged, types } from '../support/memory/stage.ts'

/* The clock of the machine is set back by half an hour or more while people and requests rely on stored times. */

const minute = 60_000
let stage: Stage
let services: Services
beforeEach(() => {
  stage = staged(peopled(policyWith({ stop: 'confirmation' })))
  services = stage.services
})

async function swept(): Promise<void> {
  for (let times = 0; times < 3; times += 1) {
    await sweep(services, (id) => advance(services, id))
    await stage.work()
  }
}

/** Lets minutes pass, each with a check of the rules. */
async function passes(minutes: number): Promise<void> {
  for (let at = 0; at < minutes; at += 1) {
    await tick(stage.services)
    for (let second = 0; second < 60; second += 10) {
      stage.clock.pass(10_000)
      await swept()
    }
  }
}

/** Types a line, confirms what it asks and returns the request. */
async function done(user: string, line: string): Promise<Request | null> {
  await types(stage, user, line, 'C0OPS')
  const id = stage.requests.at(-1) ?? ''
  await swept()
  if ((await stage.store.load(id))?.status === 'awaiting') await presses(stage, user, id, true)
  await swept()
  return stage.store.load(id)
}

function inMinutes(minutes: number): string {
  return new Date(stage.clock.now() + minutes * minute).toISOString().slice(11, 16)
}

function effects(): readonly string[] {
  return stage.platform.effects.map(({ what }) => what)
}

test.each([
  ['pause of everything', () => `freeze until ${inMinutes(120)} reason=incident`],
  ['keep', () => 'keep my-llm 4h'],
])('A %s made before stays in force', async (_, line) => {
  await done('U0ANA', `schedule my-llm down daily ${inMinutes(40)}-${inMinutes(55)} UTC`)
  stage.clock.pass(60 * minute)
  expect(await done('U0BEN', line())).toMatchObject({ status: 'succeeded' })
  await passes(2)
  stage.clock.pass(-32 * minute)
  await passes(20)
  expect(effects()).toEqual([])
})

test('A new “start … for” runs at once, although the endpoint was looked at later', async () => {
  await done('U0ANA', `schedule my-tts up daily ${inMinutes(60)}-${inMinutes(120)} UTC`)
  await done('U0ANA', 'keep my-tts 10m')
  await passes(20)
  stage.clock.pass(-50 * minute)
  await done('U0ANA', 'resume my-tts')
  await done('U0ANA', 'start my-tts for 20m')
  await passes(2)
  expect(effects()).toEqual(['start'])
  await passes(20)
  expect(effects()).toEqual(['start', 'stop'])
})

test.each([
  ['the same process', (same: Services) => same],
  ['a new process', (same: Services) => ({ ...same, clock: { ...same.clock } })],
])('A restart goes on in %s: its start does not wait for the earlier time', async (_, next) => {
  stage.platform.troubles.push('none', 'unknown')
  await done('U0ANA', 'restart my-llm')
  expect(effects()).toEqual(['stop'])
  stage.clock.pass(-60 * minute)
  services = next(services)
  await passes(3)
  expect(effects()).toEqual(['stop', 'start', 'scale to 3'])
})

test('A start without an answer is decided from the time that it has', async () => {
  stage.platform.troubles.push('unknown')
  await done('U0ANA', 'start my-tts')
  expect(effects()).toEqual([])
  stage.clock.pass(-60 * minute)
  await passes(3)
  expect(effects()).toEqual(['start'])
})

test('A stop that waits for an opposite call of before rests meanwhile', async () => {
  await stage.store.rememberLate('ep-0', { goal: 'serving', until: stage.clock.now() + 120_000 })
  stage.clock.pass(-30 * minute)
  expect(await done('U0ANA', 'stop my-llm')).toMatchObject({
    status: 'running',
    nextAt: stage.clock.now() + 4 * minute,
  })
  expect(effects()).toEqual([])
})

test('A line from a process whose clock is ahead is taken up at once', async () => {
  await types(stage, 'U0ANA', 'start my-tts', 'C0OPS')
  stage.clock.pass(-1_500)
  await advance(services, stage.requests.at(-1) ?? '')
  expect(effects()).toEqual(['start'])
})
