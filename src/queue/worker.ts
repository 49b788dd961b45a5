import { type ConnectionOptions, Worker } from 'bullmq'
import type { Log, Received } from '../lifecycle/ports.ts'
import type { Nearby } from '../lifecycle/receive.ts'
import { type JobData, queues } from './jobs.ts'

/** A job waits for people's networks, not for this processor. Of each kind, and again for what comes in nearby. */
const concurrency = 20

export interface Workers {
  /** Takes up what this process has just stored without a way through the queue, `concurrency` at a time. */
  readonly takeUp: Nearby
  close(): Promise<void>
}

/** Runs `advance` for every wake-up. Our own lease decides who works; BullMQ's lock only decides who is rung up. */
export function createWorkers(
  connection: ConnectionOptions,
  tag: string,
  log: Log,
  advance: (id: string) => Promise<void>,
): Workers {
  const running = new Set<Promise<void>>()
  let closing = false
  async function run(id: string): Promise<void> {
    // BullMQ may hand out a last job while it closes; whoever sweeps next takes that request up.
    if (closing) return
    const one = advance(id).finally(() => running.delete(one))
    running.add(one)
    return one
  }

  const inHand = { operation: 0, query: 0 }
  async function follow(id: string, stored: Promise<Received>): Promise<void> {
    const { kind } = await stored
    if (kind !== 'nothing' && kind !== 'gone') await run(id)
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
    takeUp({ id, kind }, stored) {
      if (closing || inHand[kind] >= concurrency) return false
      inHand[kind] += 1
      follow(id, stored)
        .catch((err: unknown) => log.warn({ err, request: id }, 'what has just come in could not be taken up'))
        .finally(() => {
          inHand[kind] -= 1
        })
      return true
    },
    /** Takes up nothing more, and lets what is under way come to rest. */
    async close() {
      closing = true
      // By force: without it BullMQ waits for a connection to end that is just being made again, which is for ever.
      await Promise.all(workers.map((worker) => worker.close(true)))
      await Promise.allSettled(running)
    },
  }
}
