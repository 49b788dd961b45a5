import { Queue as BullQueue, type ConnectionOptions } from 'bullmq'
import { numbered } from '../../core/model/formats.ts'
import type { Queue } from '../../core/ports/services.ts'
import { type JobData, queues, wakeUp } from './worker.ts'

export interface Producer extends Queue {
  /** Jobs that no worker has taken yet. */
  depth(): Promise<number>
  close(): Promise<void>
}

/** Wakes the workers of a project. `tag` is its hash tag. */
export function createProducer(connection: ConnectionOptions, tag: string): Producer {
  const options = { connection, prefix: tag, skipWaitingForReady: true, skipMetasUpdate: true }
  const operation = new BullQueue<JobData>(queues.operation, options)
  const query = new BullQueue<JobData>(queues.query, options)
  const byKind = { operation, query }
  // Without a listener an error of the connection would end the process. Callers see their own failures.
  for (const queue of Object.values(byKind)) queue.on('error', () => undefined)

  return {
    async wake({ id, kind }, attempt, delayMs = 0) {
      await byKind[kind].add(wakeUp, numbered('job', { requestId: id }), { jobId: `${id}-${attempt}`, delay: delayMs })
    },
    async depth() {
      const waiting = await Promise.all([operation.getWaitingCount(), query.getWaitingCount()])
      return waiting.reduce((sum, count) => sum + count, 0)
    },
    close: async () => void (await Promise.all([operation.close(), query.close()])),
  }
}
