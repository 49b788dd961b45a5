import { type ConnectionOptions, Worker } from 'bullmq'
import type { Log } from '../lifecycle/ports.ts'
import { type JobData, queues } from './jobs.ts'

/** A job waits for people's networks, not for this processor. */
const concurrency = 20

/** Runs `advance` for every wake-up. Our own lease decides who works; BullMQ's lock only decides who is rung up. */
export function createWorkers(
  connection: ConnectionOptions,
  tag: string,
  log: Log,
  advance: (id: string) => Promise<void>,
): { close(): Promise<void> } {
  const running = new Set<Promise<void>>()
  let closing = false
  async function run(id: string): Promise<void> {
    // BullMQ may hand out a last job while it closes; whoever sweeps next takes that request up.
    if (closing) return
    const one = advance(id).finally(() => running.delete(one))
    running.add(one)
    return one
  }

  const workers = Object.values(queues).map((name) => {
    const worker = new Worker<JobData>(name, (job) => run(job.data.requestId), {
      connection,
      prefix: tag,
      concurrency,
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 3,
    })
    worker.on('error', (err) => log.warn({ err, queue: name }, 'the queue reports a fault'))
    return worker
  })
  return {
    /** Takes up nothing more, and lets what is under way come to rest. */
    async close() {
      closing = true
      // By force: without it BullMQ waits for a connection to end that is just being made again, which is for ever.
      await Promise.all(workers.map((worker) => worker.close(true)))
      await Promise.allSettled(running)
    },
  }
}
