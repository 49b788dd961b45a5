import { Queue as BullQueue, type ConnectionOptions, DelayedError, type Job, Worker } from 'bullmq'
import type { Log } from '../../core/ports/services.ts'

/** What is registered: a second after each full minute, since windows begin and end on full ones. ms. */
const scheduler = { queue: 'ticks', id: 'tick', every: 60_000, offset: 1_000 } as const

/** What is rung for beside that, how long after (ms), and how often at most: the next full minute is never far. */
const again = { name: 'again', after: 2_000, most: 5 } as const

/** A chain whose next time lies further back than this is dead, even while a job stands there. ms. */
const overdue = 2 * scheduler.every

export interface Ticks {
  /** Looks whether the chain of ticks lives, and begins it anew where it does not. True: it had to. */
  mend(): Promise<boolean>
  /** Rings once more in a moment, in any of the workers. */
  ring(): Promise<void>
  close(): Promise<void>
}

/**
 * Rings once a minute, in one of all the workers of a project. The next job is made when one is taken, so that a chain
 * can break without an error and still be listed (BullMQ's own watch ends there): `mend` is to be called now and then.
 * `tick` says whether it could look; what was rung for in between is rung for again until it could.
 */
export async function createTicks(
  connection: ConnectionOptions,
  tag: string,
  log: Log,
  tick: () => Promise<boolean>,
): Promise<Ticks> {
  const queue = new BullQueue(scheduler.queue, { connection, prefix: tag })
  queue.on('error', (err) => log.warn({ err, queue: scheduler.queue }, 'the queue reports a fault'))
  await register(queue)
  const running = new Set<Promise<unknown>>()
  let closing = false
  async function run(job: Job, token?: string): Promise<void> {
    if (closing) return
    const one = tick().finally(() => running.delete(one))
    running.add(one)
    if ((await one) || job.name !== again.name || job.attemptsStarted >= again.most) return
    await job.moveToDelayed(Date.now() + again.after, token)
    throw new DelayedError()
  }
  const worker = new Worker(scheduler.queue, run, { connection, prefix: tag, concurrency: 1, lockDuration: 10_000 })
  worker.on('error', (err) => log.warn({ err, queue: scheduler.queue }, 'the queue reports a fault'))
  worker.on('failed', (_, err) => log.warn({ err }, 'a look at the rules failed'))
  return {
    async mend() {
      if (await lives(queue)) return false
      await queue.removeJobScheduler(scheduler.id)
      await register(queue)
      log.warn({ queue: scheduler.queue }, 'the chain of ticks had broken and was begun anew')
      return true
    },
    async ring() {
      await queue.add(again.name, {}, { delay: again.after, removeOnComplete: true, removeOnFail: true })
    },
    async close() {
      closing = true
      // By force: without it BullMQ waits for a connection to end that is just being made again, which is for ever.
      await worker.close(true)
      await Promise.allSettled(running)
      await queue.close()
    },
  }
}

/** Read first: registering what is registered throws a job away that is due, or makes one too many. */
async function register(queue: BullQueue): Promise<void> {
  const { id, every, offset } = scheduler
  const found = await queue.getJobScheduler(id)
  if (found?.every === every && found.offset === offset) return
  const kept = { count: 10 }
  await queue.upsertJobScheduler(
    id,
    { every, offset },
    { name: id, opts: { removeOnComplete: kept, removeOnFail: kept, stackTraceLimit: 1 } },
  )
}

/** Being listed is no proof of life: it takes a next time that is to come, and a job for it. */
async function lives(queue: BullQueue): Promise<boolean> {
  const [found, counts] = await Promise.all([
    queue.getJobScheduler(scheduler.id),
    queue.getJobCounts('delayed', 'waiting', 'active', 'prioritized'),
  ])
  const jobs = Object.values(counts).reduce((sum, count) => sum + count, 0)
  // By this machine's own clock, as BullMQ counts: the sandbox's may have been moved.
  return jobs > 0 && found?.next !== undefined && found.next > Date.now() - overdue
}
