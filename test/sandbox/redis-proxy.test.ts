import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { startProxy, type Wire } from '../support/proxy.ts'

const target = new URL(inject('redisUrl'))
let proxy: Wire

beforeEach(async () => {
  proxy = await startProxy(Number(target.port || 6379), target.hostname)
  return proxy.stop
})

test('bytes pass through unchanged', async () => {
  const value = 'x'.repeat(1_000_000)
  const key = randomUUID()
  const redis = client()
  await redis.set(key, value, 'EX', 60)
  expect(await redis.get(key)).toBe(value)
})

test('a lost reply loses the answer but not the effect', async () => {
  const key = randomUUID()
  const redis = client()
  await redis.ping()
  const lost = proxy.loseReply(2, 'incr')
  expect(await redis.incr(key)).toBe(1)
  expect(await redis.get(key)).toBe('1')
  await expect(redis.incr(key)).rejects.toThrow()
  await lost
  expect(await direct().get(key)).toBe('2')
  await direct().del(key)
})

test('held requests do not arrive until they are let through', async () => {
  const key = randomUUID()
  const redis = client()
  await redis.ping()
  proxy.hold('requests')
  const set = redis.set(key, 'late', 'EX', 60)
  expect(await direct().exists(key)).toBe(0)
  await proxy.pass()
  expect(await set).toBe('OK')
  expect(await direct().get(key)).toBe('late')
})

test('held replies leave the effect without an answer', async () => {
  const key = randomUUID()
  const redis = client()
  await redis.ping()
  proxy.hold('replies')
  let answered = false
  const set = redis.set(key, 'quiet', 'EX', 60).then(() => {
    answered = true
  })
  await expect.poll(() => direct().get(key)).toBe('quiet')
  expect(answered).toBe(false)
  await proxy.pass()
  await set
})

test('delayed bytes arrive in the order they were sent, even if the delay shrinks', async () => {
  const redis = client()
  await redis.ping()
  const heard: string[] = []
  proxy.delay(150)
  const first = redis.ping('first').then((said) => heard.push(said))
  await new Promise((resolve) => setTimeout(resolve, 20))
  proxy.delay(0)
  const second = redis.ping('second').then((said) => heard.push(said))
  await Promise.all([first, second])
  expect(heard).toEqual(['first', 'second'])
})

test('a cut refuses new connections until it is lifted', async () => {
  const redis = client()
  await redis.ping()
  await proxy.cut()
  await expect(client().ping()).rejects.toThrow()
  await proxy.pass()
  expect(await client().ping()).toBe('PONG')
})

test('a reset ends open connections and lets new ones in', async () => {
  const redis = client()
  await redis.ping()
  const closed = new Promise((resolve) => redis.once('close', resolve))
  proxy.reset()
  await closed
  expect(await client().ping()).toBe('PONG')
})

function client(): Redis {
  return open(`redis://127.0.0.1:${proxy.port}`)
}

function direct(): Redis {
  return open(target.href)
}

/** Never retries, so that a test sees what is lost. */
function open(url: string): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null })
  redis.on('error', () => {})
  onTestFinished(() => redis.disconnect())
  return redis
}
