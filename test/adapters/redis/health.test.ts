import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connectWorker, lossOf } from '../../../src/adapters/redis/connection/connect.ts'
import { writeProbe } from '../../../src/adapters/redis/connection/health.ts'
import { policyCheck, startHeartbeat } from '../../../src/adapters/redis/connection/heartbeat.ts'
import { type Keys, keysOf } from '../../../src/adapters/redis/connection/keys.ts'
import { startCluster, startNode } from '../../support/replicas.ts'
import { english, inEnglish } from '../../support/words.ts'

let redis: Redis
let keys: Keys
const stops: (() => unknown)[] = []
beforeEach(() => {
  redis = new Redis(inject('redisUrl'))
  keys = keysOf(`{beats:${Math.random()}}`)
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await redis.quit()
})

async function lives(role: 'bot' | 'worker', policy: string, now = 0): Promise<() => Promise<void>> {
  const leave = await startHeartbeat(redis, keys, { role, policy: () => policy, now: () => now })
  stops.push(leave)
  return leave
}

test('A password that is rejected later is named by the probe and the log, until it is accepted again', async (context) => {
  const node = await startNode()
  if (node === null) return context.skip('there is no real Redis on this machine')
  const said: string[] = []
  const log = { warn: (_: object, message: string) => void said.push(message) }
  const worker = connectWorker(node.server.url, log)
  stops.push(() => worker.disconnect())
  onTestFinished(() => node.stop())
  const probe = writeProbe(worker, keys)
  await worker.connect()
  expect(await probe()).toBe(null)
  await node.redis.config('SET', 'requirepass', 'changed')
  await node.redis.client('KILL', 'ID', await worker.client('ID'))
  await expect.poll(probe).toMatch(/^My storage rejected the login\..*password in REDIS_URL\. \(NOAUTH/)
  expect(said).toEqual(['Redis rejects us: check user and password in REDIS_URL'])
  await node.redis.config('SET', 'requirepass', '')
  await expect.poll(probe).toBe(null)
  await expect.poll(() => said.at(-1)).toBe('Redis can be reached again')
})

test('A cluster that goes on without one of its nodes is not logged as lost', async (context) => {
  const cluster = await startCluster()
  if (cluster === null) return context.skip('there is no real Redis on this machine')
  onTestFinished(() => cluster.stop())
  const said: string[] = []
  const worker = connectWorker(cluster.url, { warn: (_: object, message: string) => void said.push(message) })
  stops.push(() => worker.disconnect())
  await worker.connect()
  await cluster.nodes[2]?.server.kill()
  // Every 2 s any node is asked for the slots.
  await expect.poll(() => said).toEqual(['A node of the Redis cluster cannot be reached, or refuses us'])
  expect([worker.status, lossOf(worker)]).toEqual(['ready', undefined])
})

describe('Processes', () => {
  test('report which policy version they use', async () => {
    expect(inEnglish(await policyCheck(redis, keys)).says).toBe('The file has no mistakes.')
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

  test('have no heartbeat once the last worker has left', async () => {
    const [leaveFirst, leaveLast] = [await lives('worker', 'v1'), await lives('worker', 'v1')]
    await lives('bot', 'v1')
    await leaveFirst()
    expect(await redis.exists(keys.heartbeat)).toBe(1)
    await leaveLast()
    expect(await redis.exists(keys.heartbeat)).toBe(0)
  })

  test('note since when people can press: a new bot changes it only after 15 s without one', async () => {
    await lives('worker', 'v1', 1)
    expect(await redis.get(keys.bots)).toBe(null)
    const leave = await lives('bot', 'v1', 2)
    await leave()
    const leaveNext = await lives('bot', 'v1', 3)
    await leaveNext()
    expect(await redis.get(keys.bots)).toBe('2')
    const left = await redis.pttl(keys.bots)
    expect([left > 0, left <= 15_000]).toEqual([true, true])
    // As if it had expired.
    await redis.del(keys.bots)
    await lives('bot', 'v1', 4)
    expect(await redis.get(keys.bots)).toBe('4')
  })

  test('note since when Redis takes presses: one that hung carries out late what was sent, and a full one takes none', async (context) => {
    const node = await startNode()
    if (node === null) return context.skip('there is no real Redis on this machine')
    onTestFinished(() => node.stop())
    const door = node.redis.duplicate()
    onTestFinished(() => door.disconnect())
    await door.ping()
    let now = 1
    const beats = () => startHeartbeat(door, keys, { role: 'bot', policy: () => 'v1', now: () => now })
    await node.redis.client('PAUSE', 60_000, 'WRITE')
    const begun = beats()
    now = 2
    await node.redis.client('UNPAUSE')
    const leave = await begun
    await leave()
    expect(await node.redis.get(keys.bots)).toBe('2')
    await node.redis.pexpire(keys.bots, 5_000)
    await node.redis.config('SET', 'maxmemory', '1')
    await expect(beats()).rejects.toThrow('OOM')
    expect(await node.redis.pttl(keys.bots)).toBeLessThanOrEqual(5_000)
  })

  test('note an earlier time again after their clock was set back', async () => {
    await lives('bot', 'v1', 9)
    await lives('bot', 'v1', 8)
    expect(await redis.get(keys.bots)).toBe('8')
  })

  test('that are gone do not count, and a bot sets no worker heartbeat', async () => {
    const dead = JSON.stringify({ role: 'bot', policy: 'v0', since: 0, at: Date.now() - 60_000 })
    await redis.hset(keys.processes, 'dead', dead)
    await lives('bot', 'v1')
    expect(await redis.exists(keys.heartbeat)).toBe(0)
    expect(english((await policyCheck(redis, keys)).says)).toBe('Everything that runs uses version v1.')
  })
})
