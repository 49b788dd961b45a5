import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { keysOf, tagOf } from '../../../src/adapters/redis/connection/keys.ts'
import { createRuleClock, createTickMark } from '../../../src/adapters/redis/connection/leader-turns.ts'
import type { Words } from '../../../src/core/model/words.ts'
import type { Log } from '../../../src/core/ports/services.ts'
import { english } from '../../support/words.ts'

const log: Log = { info: () => undefined, warn: (_, message) => void warned.push(message), error: () => undefined }

let warned: string[]
let tag: string
beforeEach(() => {
  warned = []
  tag = tagOf(`t${randomBytes(6).toString('hex')}`, 'default')
})

function connected(): Redis {
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null })
  onTestFinished(() => redis.disconnect())
  return redis
}

/** A worker's clock that starts 30 s before a full minute; times count from then, ms. */
function worker() {
  const ticked = createTickMark(connected(), keysOf(tag))
  const seen = { looks: [] as number[], announced: [] as string[], now: 0, can: true }
  const services = {
    project: 'default',
    log,
    clock: { now: () => 30_000 + seen.now, monotonic: () => seen.now },
    announce: async (says: readonly Words[]) => void seen.announced.push(says.map(english).join('\n')),
  }
  const clock = createRuleClock(services, ticked, async () => {
    seen.looks.push(seen.now)
    return seen.can
  })
  async function dueAt(...times: readonly number[]): Promise<void> {
    for (const now of times) {
      seen.now = now
      await clock.checkIfDue()
    }
  }
  return { seen, ticked, clock, dueAt }
}

test('A worker checks the rules when it starts and once in each full minute', async () => {
  const { seen, dueAt } = worker()
  await dueAt(0, 1_000, 29_999, 30_000, 31_000, 89_999, 90_250)
  expect(seen.looks).toEqual([0, 30_000, 90_250])
})

test('A worker leaves a minute to another that has checked the rules since it began', async () => {
  const { seen, ticked, dueAt } = worker()
  await dueAt(0)
  await ticked.note()
  await dueAt(31_000, 89_000)
  expect(seen.looks).toEqual([0])
  // This check began before the minute.
  await ticked.note(2_000)
  await dueAt(91_000)
  expect(seen.looks).toEqual([0, 91_000])
})

test('A worker that could not check the rules tries again after five seconds', async () => {
  const { seen, dueAt } = worker()
  seen.can = false
  await dueAt(0, 1_000, 4_999, 5_000)
  seen.can = true
  await dueAt(9_000, 10_000, 11_000, 16_000)
  expect(seen.looks).toEqual([0, 5_000, 10_000])
})

test('A worker checks the rules at once when it is told to', async () => {
  const { seen, clock, dueAt } = worker()
  await dueAt(0, 1_000)
  seen.now = 2_000
  await clock.checkNow()
  expect(seen.looks).toEqual([0, 2_000])
})

test('Workers announce once that nobody has checked the rules for three minutes', async () => {
  const workers = [worker(), worker()]
  for (const { seen, dueAt } of workers) {
    seen.can = false
    await dueAt(0, 90_000, 179_000)
    expect(seen.announced).toEqual([])
    await dueAt(184_000, 400_000)
  }
  expect(workers.flatMap(({ seen }) => seen.announced)).toEqual([expect.stringContaining('three minutes')])
})

test('A worker whose checks fail every five seconds logs once that they are late', async () => {
  const { seen, dueAt } = worker()
  seen.can = false
  await dueAt(0, 180_000, 185_000, 190_000)
  expect(seen.looks).toHaveLength(4)
  expect(warned).toEqual(['schedules have not been checked for three minutes'])
})

test('A worker announces no delay if Redis has only forgotten the last check', async () => {
  const { seen, ticked, dueAt } = worker()
  await dueAt(0)
  seen.can = false
  await ticked.note()
  await dueAt(149_000)
  await connected().del(`${keysOf(tag).reconcileStates}:ticked`)
  await dueAt(211_000, 327_000)
  expect(seen.announced).toEqual([])
  await dueAt(332_000)
  expect(seen.announced).toEqual([expect.stringContaining('three minutes')])
})
