import { Queue as BullQueue, type ConnectionOptions, DelayedError, type Job, Worker } from 'bullmq'
import { sparingly } from '../../core/ports/meter.ts'
import type { Log } from '../../core/ports/services.ts'

/** The repeating job: a second after each full minute, because windows begin and end on full minutes. ms. */
const scheduler = { queue: 'ticks', id: 'tick', every: 60_000, offset: 1_000 } as const

/** The extra job: its delay (ms), and its attempts until the next full minute. */
const again = { name: 'again', after: 2_000, most: 5 } as const

/** A chain whose next time is this late is broken, even if a job is listed. ms. */
const overdue = 2 * scheduler.every

/**
 * Calls `tick` once a minute in one of a project's workers. BullMQ makes the next job when one is taken, so a chain can
 * break without an error and still be listed: call `mend` when no tick has come. `tick` returns whether it could check
 * the rules; the extra job is repeated until it could.
 */
export async function createTicks(connection: ConnectionOptions, tag: string, log: Log, tick: () => Promise<boolean>) {
  const queue = new BullQueue(scheduler.queue, { connection, prefix: tag })
  const warn = sparingly(log)
  const onFault = (err: Error) => warn(err.message, { err, queue: scheduler.queue }, 'the queue reported an error')
  queue.on('error', onFault)
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
  worker.on('error', onFault)
  worker.on('failed', (_, err) => log.warn({ err }, 'could not check the schedules'))
  return {
    /** Restarts the chain of jobs if it is broken. Returns whether it was. */
    async mend(): Promise<boolean> {
      if (await isAlive(queue)) return false
      await queue.removeJobScheduler(scheduler.id)
      await register(queue)
      log.warn({ queue: scheduler.queue }, 'the minute timer had stopped and was restarted')
      return true
    },
    /** Adds the extra job, which any worker may take. */
    async ring(): Promise<void> {
      await queue.add(again.name, {}, { delay: again.after, removeOnComplete: true, removeOnFail: true })
    },
    async close(): Promise<void> {
      closing = true
      // By force, because BullMQ may otherwise wait forever for a connection that is being restored.
      await worker.close(true)
      await Promise.allSettled(running)
      await queue.close()
    },
  }
}

/** Registers only once, because doing it again removes a due job or adds a second one. */
async function register(queue: BullQueue): Promise<void> {
  const { id, every, offset } = scheduler
  const found = await queue.getJobScheduler(id)
  if (found?.every === every && found.offset === offset) return
  const keepJobs = { count: 10 }
  await queue.upsertJobScheduler(
    id,
    { every, offset },
    { name: id, opts: { removeOnComplete: keepJobs, removeOnFail: keepJobs, stackTraceLimit: 1 } },
  )
}

/** Whether the chain has a job and a next time that is not overdue. */
async function isAlive(queue: BullQueue): Promise<boolean> {
  const [found, counts] = await Promise.all([
    queue.getJobScheduler(scheduler.id),
    queue.getJobCounts('delayed', 'waiting', 'active', 'prioritized'),
  ])
  const jobs = Object.values(counts).reduce((sum, count) => sum + count, 0)
  // BullMQ counts by the machine's clock, which the sandbox does not move.
  return jobs > 0 && found?.next !== undefined && found.next > Date.now() - overdue
}
