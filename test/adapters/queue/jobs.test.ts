import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue as BullQueue, type Job } from 'bullmq'
import { Redis } from 'ioredis'
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createProducer, createWorkers, queues } from '../../../src/adapters/queue/jobs.ts'
import { tagOf } from '../../../src/adapters/redis/connection/keys.ts'
import type { Log } from '../../../src/core/ports/services.ts'

let tag: string
let producer: ReturnType<typeof createProducer>
beforeEach(() => {
  tag = tagOf(`t${randomBytes(6).toString('hex')}`, 'default')
  producer = createProducer(connected(), tag)
  onTestFinished(() => producer.close())
})

function connected(): Redis {
  // A worker connects like this, because BullMQ blocks on the connection.
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null })
  onTestFinished(() => redis.disconnect())
  return redis
}

async function jobsIn(name: string): Promise<readonly Job[]> {
  const queue = new BullQueue(name, { connection: connected(), prefix: tag })
  onTestFinished(() => queue.close())
  return queue.getJobs(['waiting', 'delayed', 'active', 'completed', 'failed'])
}

/** Workers, with the ids of the requests they were woken for so far. */
function workers(advance: (id: string) => Promise<void> = async () => undefined) {
  const ids: string[] = []
  const warned: object[] = []
  const log: Log = {
    info: () => undefined,
    error: () => undefined,
    warn: (fields, says) => void warned.push({ ...fields, says }),
  }
  const counted = (id: string) => {
    ids.push(id)
    return advance(id)
  }
  const running = createWorkers(connected(), tag, counted, log)
  onTestFinished(() => running.close())
  return { ids, warned, again: running.again, close: () => running.close() }
}

/** A promise that stays pending until `open` is called. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

describe('A wake-up', () => {
  test('is a job with the id of its request and its format number, and nothing else', async () => {
    await producer.wake({ id: 'r1', kind: 'operation' }, '0')
    const [job, ...others] = await jobsIn(queues.operation)
    expect(others).toEqual([])
    expect(job?.name).toBe('advance')
    expect(JSON.stringify(job?.data)).toBe('{"format":1,"requestId":"r1"}')
  })

  test('for a query waits in a queue of its own', async () => {
    await producer.wake({ id: 'q1', kind: 'query' }, '0')
    await producer.wake({ id: 'r1', kind: 'operation' }, '0')
    expect((await jobsIn(queues.query)).map(({ data }) => data)).toEqual([{ format: 1, requestId: 'q1' }])
    expect((await jobsIn(queues.operation)).map(({ data }) => data)).toEqual([{ format: 1, requestId: 'r1' }])
  })

  test('given twice for one reason is one job, and for another reason a second one', async () => {
    await producer.wake({ id: 'r1', kind: 'operation' }, '0')
    await producer.wake({ id: 'r1', kind: 'operation' }, '0')
    await producer.wake({ id: 'r1', kind: 'operation' }, 'press-1')
    await producer.wake({ id: 'r2', kind: 'operation' }, '0')
    const ids = (await jobsIn(queues.operation)).map(({ id }) => id)
    expect(ids).toHaveLength(3)
    expect(new Set(ids)).toEqual(new Set(['r1-0', 'r1-press-1', 'r2-0']))
  })

  test('may be delayed', async () => {
    await producer.wake({ id: 'r1', kind: 'operation' }, '2-5', 30_000)
    const [job] = await jobsIn(queues.operation)
    expect(await job?.getState()).toBe('delayed')
    expect(job?.delay).toBe(30_000)
  })

  test('is stored under the tag of its project, with everything that belongs to it', async () => {
    const { ids } = workers()
    await producer.wake({ id: 'r1', kind: 'operation' }, '0', 1)
    await expect.poll(() => ids).toEqual(['r1'])
    const [prefix = ''] = tag.slice(1).split(':')
    const all = await connected().keys(`*${prefix}*`)
    expect(all.length).toBeGreaterThan(1)
    expect(all.filter((key) => !key.startsWith(`${tag}:`))).toEqual([])
  })
})

describe('A worker', () => {
  test('is woken for every job of both queues', async () => {
    const { ids } = workers()
    for (const id of ['r1', 'r2']) await producer.wake({ id, kind: 'operation' }, '0')
    await producer.wake({ id: 'q1', kind: 'query' }, '0')
    await expect.poll(() => new Set(ids)).toEqual(new Set(['r1', 'r2', 'q1']))
    expect(ids).toHaveLength(3)
  })

  test('wakes itself for what is due later, ten requests at once', async () => {
    const { passed, open } = gate()
    onTestFinished(open)
    const { ids, again } = workers(() => passed)
    const own = createProducer(connected(), tag, again)
    onTestFinished(() => own.close())
    for (let at = 0; at < 30; at += 1) await own.wake({ id: `r${at}`, kind: 'operation' }, '1', 20)
    await expect.poll(() => ids.length).toBe(10)
    expect(await jobsIn(queues.operation)).toEqual([])
    open()
    await expect.poll(() => ids.length).toBe(30)
    expect(new Set(ids).size).toBe(30)
  })

  test('is woken when a delayed job is due', async () => {
    const { ids } = workers()
    await producer.wake({ id: 'r1', kind: 'operation' }, '0', 50)
    await expect.poll(() => ids).toEqual(['r1'])
  })

  test('logs a failure and is not woken again: the request knows when it is due', async () => {
    const { ids, warned } = workers(async (id) => {
      if (id === 'bad') throw new Error('A fault of ours.')
    })
    await producer.wake({ id: 'bad', kind: 'operation' }, '0')
    await producer.wake({ id: 'good', kind: 'operation' }, '0')
    await expect.poll(() => ids).toEqual(['bad', 'good'])
    await expect.poll(() => jobsIn(queues.operation)).toEqual([])
    expect(ids).toHaveLength(2)
    const fault = { err: new Error('A fault of ours.'), request: 'bad', says: 'could not advance a request' }
    expect(warned).toEqual([fault])
  })

  test('works on ten changes at once and leaves the other jobs to other workers', async () => {
    const { passed, open } = gate()
    onTestFinished(open)
    const { ids } = workers(() => passed)
    for (let at = 0; at < 20; at += 1) await producer.wake({ id: `r${at}`, kind: 'operation' }, '0')
    await expect.poll(() => ids.length).toBe(10)
    // The worker holds one more, which waits for room.
    await expect.poll(async () => (await producer.depths())[queues.operation]).toBe(9)
    expect(ids).toHaveLength(10)
    open()
    await expect.poll(() => ids.length).toBe(20)
  })

  test('answers twenty queries at once', async () => {
    const { passed, open } = gate()
    onTestFinished(open)
    const { ids } = workers(() => passed)
    for (let at = 0; at < 30; at += 1) await producer.wake({ id: `q${at}`, kind: 'query' }, '0')
    await expect.poll(() => ids.length).toBe(20)
    await expect.poll(async () => (await producer.depths())[queues.query]).toBe(9)
    expect(ids).toHaveLength(20)
    open()
    await expect.poll(() => ids.length).toBe(30)
  })

  test('serves a query even while every change takes long', async () => {
    const { passed, open } = gate()
    onTestFinished(open)
    const { ids } = workers((id) => (id.startsWith('r') ? passed : Promise.resolve()))
    for (let at = 0; at < 30; at += 1) await producer.wake({ id: `r${at}`, kind: 'operation' }, '0')
    await producer.wake({ id: 'q1', kind: 'query' }, '0')
    await expect.poll(() => ids).toContain('q1')
    expect(ids.length).toBeLessThan(31)
    open()
    await expect.poll(() => ids.length).toBe(31)
  })

  test('finishes what is under way before it closes, and takes nothing more', async () => {
    const { passed, open } = gate()
    onTestFinished(open)
    const { ids, close } = workers(() => passed)
    await producer.wake({ id: 'r1', kind: 'operation' }, '0')
    await expect.poll(() => ids).toEqual(['r1'])
    let closed = false
    const closing = close().then(() => {
      closed = true
    })
    await producer.wake({ id: 'r2', kind: 'operation' }, '0')
    await sleep(100)
    expect(closed).toBe(false)
    open()
    await closing
    expect(ids).toEqual(['r1'])
  })
})
