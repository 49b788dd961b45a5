import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { policyCheck, startHeartbeat } from '../../../src/adapters/redis/connection/health.ts'
import { type Keys, keysOf } from '../../../src/adapters/redis/connection/keys.ts'
import { english, inEnglish } from '../../support/words.ts'

let redis: Redis
let keys: Keys
const stops: (() => void)[] = []
beforeEach(() => {
  redis = new Redis(inject('redisUrl'))
  keys = keysOf(`{beats:${Math.random()}}`)
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await redis.quit()
})

async function lives(role: 'bot' | 'worker', policy: string): Promise<void> {
  stops.push(await startHeartbeat(redis, keys, { role, policy: () => policy }))
}

describe('Processes', () => {
  test('report which policy version they use', async () => {
    await lives('bot', 'v1')
    await lives('worker', 'v1')
    expect(inEnglish(await policyCheck(redis, keys))).toEqual({
      name: 'Policy file',
      well: true,
      says: 'Everything that runs uses version v1.',
    })
  })

  test('that were killed are forgotten while others live', async () => {
    const killed = JSON.stringify({ v: 1, role: 'bot', policy: 'v1', since: 0, at: Date.now() - 61_000 })
    await redis.hset(keys.processes, 'killed', killed)
    await lives('worker', 'v1')
    expect(Object.keys(await redis.hgetall(keys.processes))).toHaveLength(1)
    expect(await redis.hexists(keys.processes, 'killed')).toBe(0)
  })

  test('whose files differ for less than a minute are not reported', async () => {
    await lives('bot', 'v1')
    await lives('worker', 'v2')
    expect((await policyCheck(redis, keys)).well).toBe(true)
  })

  test('whose files differ for longer are named', async () => {
    const seen = (policy: string) => JSON.stringify({ role: 'bot', policy, since: Date.now() - 61_000, at: Date.now() })
    await redis.hset(keys.processes, 'a', seen('v1'), 'b', seen('v2'), 'c', seen('v2'))
    const { well, says } = await policyCheck(redis, keys)
    expect(well).toBe(false)
    expect(english(says)).toBe('Processes use different files: 1 use v1 and 2 use v2. Give all of them the same file.')
  })

  test('that are gone do not count, and a bot sets no worker heartbeat', async () => {
    const dead = JSON.stringify({ role: 'bot', policy: 'v0', since: 0, at: Date.now() - 60_000 })
    await redis.hset(keys.processes, 'dead', dead)
    await lives('bot', 'v1')
    expect(await redis.exists(keys.heartbeat)).toBe(0)
    expect(english((await policyCheck(redis, keys)).says)).toBe('Everything that runs uses version v1.')
  })
})
