import { Queue as BullQueue, type ConnectionOptions } from 'bullmq'
import { numbered } from '../../core/model/formats.ts'
import type { Queue } from '../../core/ports/services.ts'
import { type JobData, queues, wakeUp } from './worker.ts'

/** Finished jobs tell nothing that the request does not: a few are kept to look at. */
const kept = { count: 1_000, age: 3_600 }

export interface Producer extends Queue {
  /** Wake-ups that nobody has taken yet. */
  depth(): Promise<number>
  close(): Promise<void>
}

/** Rings workers up. `tag` is the project's hash tag. */
export function createProducer(connection: ConnectionOptions, tag: string): Producer {
  const options = { connection, prefix: tag, skipWaitingForReady: true, skipMetasUpdate: true }
  const operation = new BullQueue<JobData>(queues.operation, options)
  const query = new BullQueue<JobData>(queues.query, options)
  const byKind = { operation, query }
  // Without a listener an error of the connection would end the process; every caller sees its own failure anyway.
  for (const queue of Object.values(byKind)) queue.on('error', () => undefined)

  return {
    async wake({ id, kind }, attempt, delayMs = 0) {
      const jobId = `${id}-${attempt}`
      await byKind[kind].add(wakeUp, numbered('job', { requestId: id }), {
        jobId,
        delay: delayMs,
        attempts: 1,
        stackTraceLimit: 1,
        removeOnComplete: kept,
        removeOnFail: kept,
      })
    },
    async depth() {
      const waiting = await Promise.all([operation.getWaitingCount(), query.getWaitingCount()])
      return waiting.reduce((sum, count) => sum + count, 0)
    },
    close: async () => void (await Promise.all([operation.close(), query.close()])),
  }
}
