import { randomBytes } from 'node:crypto'
import { type Job, Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createTicks } from '../../../src/adapters/queue/ticks.ts'
import { keysOf, tagOf } from '../../../src/adapters/redis/connection/keys.ts'
import { createTickMark, watchdog } from '../../../src/adapters/redis/connection/leader-turns.ts'
import type { Words } from '../../../src/core/model/words.ts'
import type { Log } from '../../../src/core/ports/services.ts'
import { english } from '../../support/words.ts'

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let tag: string
let queue: Queue
beforeEach(() => {
  tag = tagOf(`t${randomBytes(6).toString('hex')}`, 'default')
  queue = new Queue('ticks', { connection: connected(), prefix: tag })
  onTestFinished(() => queue.close())
})

function connected(): Redis {
  const redis = new Redis(inject('redisUrl'), { maxRetriesPerRequest: null })
  onTestFinished(() => redis.disconnect())
  return redis
}

async function ticking(tick: () => Promise<boolean> = async () => true) {
  const ticks = await createTicks(connected(), tag, log, tick)
  onTestFinished(() => ticks.close())
  return ticks
}

/** Returns the next job; for a moment there is none, while the one before it is taken. */
async function upcoming(): Promise<Job> {
  await expect.poll(() => queue.getDelayedCount()).toBe(1)
  return (await queue.getDelayed())[0] ?? upcoming()
}

/** Makes the next job due now. */
async function due(): Promise<void> {
  await (await upcoming()).changeDelay(0)
}

async function state() {
  const schedulers = await queue.getJobSchedulers()
  const { delayed, waiting, active } = await queue.getJobCounts('delayed', 'waiting', 'active')
  return { schedulers: schedulers.map(({ key, every, offset }) => ({ key, every, offset })), delayed, waiting, active }
}

const sound = { schedulers: [{ key: 'tick', every: 60_000, offset: 1_000 }], delayed: 1, waiting: 0, active: 0 }

describe('The minute timer', () => {
  test('keeps one scheduled job when eight workers register it at once', async () => {
    let ticked = 0
    const tick = async () => {
      ticked += 1
      return true
    }
    await Promise.all(Array.from({ length: 8 }, () => ticking(tick)))
    await expect.poll(state).toEqual(sound)
    // If a slot had been made twice, its second job would have run by now.
    await due()
    await expect.poll(async () => (await queue.getCompleted()).length).toBeGreaterThan(0)
    await expect.poll(state).toEqual(sound)
    await expect.poll(async () => (await queue.getCompletedCount()) - ticked).toBe(0)
  })

  test('keeps a job that is due when a process starts', async () => {
    const first = await ticking()
    await first.close()
    await due()
    const [waiting] = await queue.getJobs(['delayed', 'waiting'])
    await ticking()
    await expect.poll(async () => (await queue.getCompleted()).map(({ id }) => id)).toContain(waiting?.id)
    await expect.poll(state).toEqual(sound)
  })

  test('is registered again if it was registered with other times', async () => {
    await queue.upsertJobScheduler('tick', { every: 30_000, offset: 7_000 }, { name: 'tick' })
    await ticking()
    await expect.poll(state).toEqual(sound)
  })

  test('continues after a tick that failed', async () => {
    let rung = 0
    await ticking(async () => {
      rung += 1
      throw new Error('The platform is on fire.')
    })
    for (const times of [1, 2]) {
      await due()
      await expect.poll(() => rung).toBeGreaterThanOrEqual(times)
    }
    await expect.poll(state).toEqual(sound)
  })

  test('repeats an extra tick until one succeeds, and leaves the chain as it is', async () => {
    const could = [false, false, true]
    const seen: boolean[] = []
    const ticks = await ticking(async () => {
      const one = could[seen.length] ?? true
      seen.push(one)
      return one
    })
    await ticks.ring()
    await expect.poll(() => seen.slice(0, 3)).toEqual(could)
    await expect.poll(state).toEqual(sound)
  })

  test('gives up an extra tick after a few failures', async () => {
    let rung = 0
    const ticks = await ticking(async () => {
      rung += 1
      return false
    })
    await queue.add('again', {}, { attempts: 1, removeOnComplete: true })
    await expect.poll(state).toEqual(sound)
    // The regular tick of a full minute may be among them.
    expect([5, 6]).toContain(rung)
    expect(await ticks.mend()).toBe(false)
  })

  test('stays as it is when a process checks a healthy chain', async () => {
    const ticks = await ticking()
    const before = await upcoming()
    expect(await ticks.mend()).toBe(false)
    // The job may be due by now, and a new one would have the same id.
    expect(await queue.getJob(before.id!)).toMatchObject({ timestamp: before.timestamp })
  })

  test('restarts a broken chain, which is listed with a time in the past and has no job', async () => {
    const ticks = await ticking()
    const redis = connected()
    await redis.del(`${tag}:ticks:delayed`)
    await redis.zadd(`${tag}:ticks:repeat`, Date.now() - 600_000, 'tick')
    expect(await state()).toMatchObject({ schedulers: sound.schedulers, delayed: 0 })
    expect(await ticks.mend()).toBe(true)
    await expect.poll(state).toEqual(sound)
  })

  test('is restarted once when several processes restart it at the same time', async () => {
    const all = await Promise.all([ticking(), ticking(), ticking()])
    const redis = connected()
    await redis.del(`${tag}:ticks:delayed`)
    await Promise.all(all.map((ticks) => ticks.mend()))
    await expect.poll(state).toEqual(sound)
  })

  test('is restarted after Redis has lost everything', async () => {
    const ticks = await ticking()
    const redis = connected()
    await redis.del(...(await redis.keys(`${tag}:ticks:*`)))
    expect(await ticks.mend()).toBe(true)
    await expect.poll(state).toEqual(sound)
  })
})

describe('The watchdog', () => {
  function watched() {
    const ticked = createTickMark(connected(), keysOf(tag))
    const seen = { looks: 0, mended: 0, announced: [] as string[], now: 0 }
    const services = {
      project: 'default',
      log,
      clock: { now: () => 0, monotonic: () => seen.now },
      announce: async (says: readonly Words[]) => void seen.announced.push(says.map(english).join('\n')),
    }
    let fault: Error | null = null
    const bark = watchdog(
      services,
      ticked,
      async () => {
        seen.looks += 1
        if (fault !== null) throw fault
      },
      async () => {
        seen.mended += 1
      },
    )
    async function barkAt(now: number): Promise<void> {
      seen.now = now
      await bark()
    }
    const breaks = (error: Error) => {
      fault = error
    }
    return { seen, ticked, barkAt, breaks }
  }

  test('checks the rules and restarts the timer after more than a minute without a tick', async () => {
    const { seen, barkAt } = watched()
    await barkAt(69_000)
    expect(seen).toMatchObject({ looks: 0, mended: 0 })
    await barkAt(70_000)
    expect(seen).toMatchObject({ looks: 1, mended: 1, announced: [] })
  })

  test('retries each minute if it fails, and announces the delay once after three minutes', async () => {
    const { seen, barkAt } = watched()
    for (const now of [70_000, 75_000, 139_000, 140_000]) await barkAt(now)
    expect(seen).toMatchObject({ looks: 2, mended: 2, announced: [] })
    for (const now of [210_000, 280_000]) await barkAt(now)
    expect(seen).toMatchObject({ looks: 4, mended: 4 })
    expect(seen.announced).toEqual([expect.stringContaining('three minutes')])
  })

  test('restarts the timer even if its own check fails', async () => {
    const { seen, barkAt, breaks } = watched()
    breaks(new Error('The platform is on fire.'))
    await expect(barkAt(70_000)).rejects.toThrow('on fire')
    expect(seen).toMatchObject({ looks: 1, mended: 1 })
  })

  test('does nothing while the rules are checked', async () => {
    const { seen, ticked, barkAt } = watched()
    seen.now = 180_000
    await ticked.note()
    await barkAt(180_000)
    expect(seen).toMatchObject({ looks: 0, mended: 0, announced: [] })
    expect(await ticked.ago()).toBeLessThan(60_000)
  })

  test('does not announce a delay when Redis has only forgotten the last check', async () => {
    const { seen, ticked, barkAt } = watched()
    await ticked.note()
    await barkAt(180_000)
    await connected().del(`${keysOf(tag).reconcileStates}:ticked`)
    await barkAt(214_000)
    expect(seen).toMatchObject({ looks: 0, announced: [] })
    await barkAt(251_000)
    expect(seen).toMatchObject({ looks: 1, announced: [] })
    await barkAt(361_000)
    expect(seen.announced).toEqual([expect.stringContaining('three minutes')])
  })

  test('announces a delay once for all workers together', async () => {
    const [one, other] = [watched(), watched()]
    for (const each of [one, other]) await each.barkAt(180_000)
    expect([...one.seen.announced, ...other.seen.announced]).toHaveLength(1)
  })
})
