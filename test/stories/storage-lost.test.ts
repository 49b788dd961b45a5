import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import type { RunningRedis } from '../../sandbox/redis/rung.ts'
import { effects, theEnd } from '../support/ends.ts'
import { asks } from '../support/ops.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown, type Town, type TownOptions } from '../support/town.ts'

/* A Redis of its own, because the tests kill it and change its settings. */

let storage: RunningRedis
beforeAll(async () => {
  storage = await startRedis({ own: true })
})
afterAll(() => storage.stop())

let town: Town | undefined
beforeEach((context) => {
  town = undefined
  if (storage.server === null) context.skip('There is no Redis here that could be killed: only the in-process one.')
})
afterEach(() => town?.stop())

/** A town that requires durable storage. */
async function begin(options: TownOptions = {}): Promise<Town> {
  town = await startTown({
    redisUrl: storage.url,
    ...options,
    env: { LAMPLIGHTER_REDIS_MAY_FORGET: 'no', ...options.env },
  })
  return town
}

/** Sends one command to the storage. */
async function tell(...words: readonly [string, ...string[]]): Promise<void> {
  const redis = new Redis(storage.url)
  const [command, ...args] = words
  await redis.call(command, ...args)
  redis.disconnect()
}

test('A request survives the death of Redis while its question waits and during its call', async () => {
  const { slack, platform } = await begin()
  const ana = slack.as('U0ANA')
  await ana.types('ops', '/endpoint stop my-llm')
  const button = await ana.remembers('Stop my-llm', { in: 'ops' })
  await town!.calm()
  await storage.server!.restart()

  let kills = 0
  platform.onCall(async ({ operation, when }) => {
    if (operation !== 'stopEndpoint' || when !== 'before acting') return
    kills += 1
    await storage.server!.kill()
    setTimeout(() => void storage.server!.restart(), 500)
  })
  // The bot may not have reconnected yet.
  await expect
    .poll(
      async () => {
        await ana.pressesRaw(button)
        return kills
      },
      { interval: 500 },
    )
    .toBe(1)
  await timePassesUntil(town!, ana.sees(/^Stopped my-llm\./, { in: 'ops' }))
  await timePassesUntil(town!, town!.calm())
  expect(theEnd(town!)).toContain('Stopped my-llm.')
  expect(effects(town!)).toEqual(['stop'])
})

test.each([
  ['appendonly', 'no', 'yes', 'It isn’t append-only, so a crash would lose requests: set appendonly yes.'],
  [
    'maxmemory-policy',
    'allkeys-lru',
    'noeviction',
    'It may evict keys, so requests could vanish: set maxmemory-policy noeviction.',
  ],
])(
  'With %s %s the product refuses to start unless LAMPLIGHTER_REDIS_MAY_FORGET allows it',
  async (name, bad, good, says) => {
    await tell('CONFIG', 'SET', name, bad)
    try {
      await expect(begin({ roles: ['worker'] })).rejects.toThrow(`Redis may lose data. ${says}`)
      await expect(begin({ roles: ['bot'] })).rejects.toThrow(says)
      const { log } = await begin({ env: { LAMPLIGHTER_REDIS_MAY_FORGET: 'yes' } })
      expect(log()).toContain(says)
    } finally {
      await tell('CONFIG', 'SET', name, good)
    }
  },
)

test('Storage that hides its settings is used with a warning', async () => {
  await tell('ACL', 'SETUSER', 'lamplighter', 'on', '>not-very-secret', '~*', '&*', '+@all', '-config')
  const url = new URL(storage.url)
  url.username = 'lamplighter'
  url.password = 'not-very-secret'
  const { slack, log } = await begin({ redisUrl: url.href })
  const ana = slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Started my-tts')
  expect(log()).toContain('Redis does not show its settings: make sure it is append-only')
  expect(log()).not.toContain('not-very-secret')
})

test('The command that finds all data lost is answered: changes are blocked', async () => {
  const { slack, platform } = await begin()
  const ana = slack.as('U0ANA')
  await asks(ana, 'start my-tts', 'Started my-tts')
  await town!.calm()
  await tell('FLUSHALL')
  await ana.types('ops', '/endpoint stop my-tts')
  await timePassesUntil(town!, ana.sees(/^All changes are blocked\..*An admin can end this/s, { in: 'ops' }))
  await ana.sees(/Entries 1 to \d+ are missing or can’t be verified\. Everything before it is intact/, { in: 'ops' })
  expect(platform.changes().map(({ kind }) => kind)).toEqual(['start'])
})
