import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import type { RunningRedis } from '../../sandbox/redis/rung.ts'
import { type Calendar, schedule, startCalendar } from '../support/calendar.ts'
import { effects } from '../support/ends.ts'

/* A Redis of its own, because the stories kill it and look into it. */

let storage: RunningRedis
beforeAll(async () => {
  storage = await startRedis({ own: true })
})
afterAll(() => storage.stop())

let begun: Calendar | undefined
beforeEach((context) => {
  begun = undefined
  if (storage.server === null) context.skip('There is no Redis here that could be killed: only the in-process one.')
})
afterEach(() => begun?.stop())

/** Announces the stop of my-llm at 20:00. It is 19:52 then. */
async function warned(env: Record<string, string> = {}) {
  const calendar = await startCalendar({ redisUrl: storage.url, env })
  begun = calendar
  const { town } = calendar
  const ana = town.slack.as('U0ANA')
  await calendar.jumpTo('mon 12:00')
  await schedule(calendar, ana, 'my-llm')
  await calendar.goTo('mon 19:52')
  await ana.sees('Stop now', { in: 'ops' })
  return { calendar, town }
}

test('A stop and a start happen once and in time although Redis is killed before each', async () => {
  const { calendar, town } = await warned({ LAMPLIGHTER_REDIS_MAY_FORGET: 'no' })
  await storage.server!.restart()
  await calendar.goTo('mon 20:02')
  await expect.poll(() => effects(town)).toEqual(['stop'])
  await calendar.goTo('tue 08:59')
  await storage.server!.kill()
  await calendar.jumpTo('tue 09:00')
  await storage.server!.restart()
  await calendar.rest()
  await expect.poll(() => effects(town)).toEqual(['stop', 'start'])
})

test('A stop waits for people to object after a time in which no bot was alive', async () => {
  const { calendar, town } = await warned()
  await calendar.goTo('mon 19:59')
  // As it expires 15 s after the last bot.
  const redis = new Redis(storage.url)
  const marks = await redis.keys('*:bots')
  expect(marks).not.toEqual([])
  await redis.del(marks)
  await expect.poll(() => redis.keys('*:bots')).toHaveLength(1)
  await redis.quit()
  await calendar.goTo('mon 20:01')
  await calendar.rest()
  expect(effects(town)).toEqual([])
  await calendar.goTo('mon 20:07')
  await expect.poll(() => effects(town)).toEqual(['stop'])
})
