import { Queue as BullQueue, type ConnectionOptions, type Job, Worker } from 'bullmq'
import { numbered, valueAs } from '../../core/model/formats.ts'
import type { Log, Queue } from '../../core/ports/services.ts'
import { createFaultLog } from './faults.ts'

/** Jobs of each queue at once. They wait for networks, not for this processor. */
const concurrency = 20

/** A few failed jobs are kept for inspection. `age` in seconds. */
const keepFailed = { count: 100, age: 3_600 }

/** Nobody reads what BullMQ tells of each job. */
const streams = { events: { maxLen: 10 } }

export type Workers = ReturnType<typeof createWorkers>

/** Runs `advance` for every job; our own lease decides who works. `close` waits for the work under way. */
export function createWorkers(
  connection: ConnectionOptions,
  tag: string,
  { advance, log }: { readonly advance: (id: string) => Promise<void>; readonly log: Log },
) {
  const running = new Set<Promise<void>>()
  let closing = false
  async function run({ name, data }: Pick<Job<JobData>, 'name' | 'data'>): Promise<void> {
    // A newer version finds the work of its own jobs by its sweep.
    if (name !== wakeUp) return log.warn({ name }, 'a job of a newer version was left to it')
    const { requestId } = valueAs<JobData>('job', data)
    await take(requestId)
  }

  async function take(id: string): Promise<void> {
    // BullMQ may hand out a last job while it closes. The next sweep takes up that request.
    if (closing) return
    const one = advance(id).finally(() => running.delete(one))
    running.add(one)
    await one
  }

  const [due, looking] = [new Set<string>(), new Set<string>()]
  async function look(): Promise<void> {
    const [id] = due
    if (id === undefined || looking.size >= concurrency) return
    due.delete(id)
    looking.add(id)
    await take(id).catch((err) => warnOf(err, id))
    looking.delete(id)
    void look()
  }
  const warnOf = (err: unknown, request: string | undefined) =>
    log.warn({ err, request }, 'a request could not be taken up')

  const faults = createFaultLog(log)
  const workers = Object.values(queues).map((name) => {
    const worker = new Worker<JobData>(name, run, {
      connection,
      prefix: tag,
      concurrency,
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 3,
      removeOnComplete: { count: 0 },
      removeOnFail: keepFailed,
    })
    // It writes that setting, and does nothing else.
    const queue = new BullQueue(name, { connection, prefix: tag, streams })
    worker.on('error', faults(name))
    queue.on('error', faults(name))
    worker.on('failed', (job, err) => warnOf(err, job?.data.requestId))
    return { worker, queue }
  })
  return {
    /** Takes up a request again after so many ms: a job of its own would cost more than the look. */
    again: (id: string, ms: number): void => {
      const ring = (): void => {
        due.add(id)
        void look()
      }
      setTimeout(ring, ms).unref()
    },
    async close(): Promise<void> {
      closing = true
      // By force, since otherwise BullMQ may wait for ever for a connection that is being made again.
      await Promise.all(workers.map(({ worker }) => worker.close(true)))
      await Promise.all(workers.map(({ queue }) => queue.close()))
      await Promise.allSettled(running)
    },
  }
}

/** The queues of a project. Queries have their own, so that bulk work never delays an answer. */
export const queues = { operation: 'changes', query: 'answers' } as const

/** A job only wakes a worker: the stored request is the truth. */
interface JobData {
  readonly requestId: string
}

/** The name of the jobs in these queues. */
const wakeUp = 'advance'

export interface Producer extends Queue {
  /** Jobs that no worker has taken yet, by queue. */
  readonly depths: () => Promise<Readonly<Record<string, number>>>
  close(): Promise<void>
}

/** Wakes the workers of a project. `tag` is its hash tag; `later`: this process itself wakes what is not due yet. */
export function createProducer(connection: ConnectionOptions, tag: string, later?: Workers['again']): Producer {
  const options = { connection, prefix: tag, skipWaitingForReady: true, skipMetasUpdate: true }
  const operation = new BullQueue<JobData>(queues.operation, options)
  const query = new BullQueue<JobData>(queues.query, options)
  const byKind = { operation, query }
  // Without a listener an error of the connection would end the process. Callers see their own failures.
  for (const queue of Object.values(byKind)) queue.on('error', () => undefined)

  return {
    async wake({ id, kind }, attempt, delayMs = 0) {
      if (delayMs > 0 && later !== undefined) return later(id, delayMs)
      await byKind[kind].add(wakeUp, numbered('job', { requestId: id }), { jobId: `${id}-${attempt}`, delay: delayMs })
    },
    async depths() {
      const [changes, answers] = await Promise.all([operation.getWaitingCount(), query.getWaitingCount()])
      return { [queues.operation]: changes, [queues.query]: answers }
    },
    close: async () => void (await Promise.all([operation.close(), query.close()])),
  }
}
