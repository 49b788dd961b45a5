import { Queue as BullQueue, type ConnectionOptions, type Job, Worker } from 'bullmq'
import { numbered, valueAs } from '../../core/model/formats.ts'
import type { Request } from '../../core/model/request.ts'
import { sparingly } from '../../core/ports/meter.ts'
import type { Log } from '../../core/ports/services.ts'

/**
 * Requests of each queue that a process works on at once. More changes would not end sooner, because the processor is
 * then the bottleneck, and every answer would wait for them.
 */
const atOnce = { changes: 10, answers: 20 } as const

export type Workers = ReturnType<typeof createWorkers>

/**
 * Runs `advance` for every job; our own lease decides who works. A job is finished as soon as there is room for its
 * request: BullMQ then handles one at a time, which takes a third fewer commands. `close` waits for the work under way.
 */
export function createWorkers(
  connection: ConnectionOptions,
  tag: string,
  advance: (id: string) => Promise<void>,
  log: Log,
) {
  const running = new Set<Promise<void>>()
  let closing = false

  /** Resolves when there is room, not when the work is done. */
  function roomFor(most: number): (id: string) => Promise<void> {
    let inside = 0
    const waiting: (() => void)[] = []
    return async (id) => {
      if (inside < most) inside += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      // BullMQ may hand out a last job while it closes. The next sweep takes up that request.
      const work = closing ? Promise.resolve() : advance(id)
      const one = work
        .catch((err) => log.warn({ err, request: id }, 'could not advance a request'))
        .finally(() => {
          running.delete(one)
          // The next one takes over this place.
          const next = waiting.shift()
          if (next === undefined) inside -= 1
          else next()
        })
      running.add(one)
    }
  }

  const due = new Set<string>()
  const look = roomFor(atOnce.changes)
  const warn = sparingly(log)
  const workers = Object.values(queues).map((name) => {
    const take = roomFor(atOnce[name])
    async function run(job: Pick<Job<JobData>, 'name' | 'data'>): Promise<void> {
      // A newer worker's sweep finds the requests of such jobs.
      if (job.name !== wakeUp)
        return log.warn({ name: job.name }, 'left a job of a newer version to a worker of that version')
      await take(valueAs<JobData>('job', job.data).requestId)
    }
    const worker = new Worker<JobData>(name, run, {
      connection,
      prefix: tag,
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 3,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    worker.on('error', (err) => warn(`${name} ${err.message}`, { err, queue: name }, 'the queue reported an error'))
    worker.on('failed', (job, err) => log.warn({ err, request: job?.data.requestId }, 'a job could not be read'))
    return worker
  })
  return {
    /** Takes up a request again after `ms`. A delayed job would cost more than the check itself. */
    again: (id: string, ms: number): void => {
      const ring = (): void => {
        if (due.has(id)) return
        due.add(id)
        void look(id).finally(() => due.delete(id))
      }
      setTimeout(ring, ms).unref()
    },
    async close(): Promise<void> {
      closing = true
      // By force, because BullMQ may otherwise wait forever for a connection that is being restored.
      await Promise.all(workers.map((worker) => worker.close(true)))
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

/** Wakes the workers of a project. `tag`: its hash tag; `later`: wakes requests later, from this process. */
export function createProducer(connection: ConnectionOptions, tag: string, later?: Workers['again']) {
  // Nobody reads BullMQ's events of each job, so few are kept. A worker writes that limit, so that no door has to.
  const streams = { events: { maxLen: 10 } }
  const options = { connection, prefix: tag, skipWaitingForReady: true, skipMetasUpdate: later === undefined, streams }
  const operation = new BullQueue<JobData>(queues.operation, options)
  const query = new BullQueue<JobData>(queues.query, options)
  const byKind = { operation, query }
  // Without a listener an error of the connection would end the process. Callers see their own failures.
  for (const queue of Object.values(byKind)) queue.on('error', () => undefined)

  return {
    async wake({ id, kind }: Pick<Request, 'id' | 'kind'>, attempt: string, delayMs = 0) {
      if (delayMs > 0 && later !== undefined) return later(id, delayMs)
      await byKind[kind].add(wakeUp, numbered('job', { requestId: id }), { jobId: `${id}-${attempt}`, delay: delayMs })
    },
    /** Jobs that no worker has taken yet, by queue. */
    depths: async () => {
      const [changes, answers] = await Promise.all([operation.getWaitingCount(), query.getWaitingCount()])
      return { [queues.operation]: changes, [queues.query]: answers }
    },
    close: async () => void (await Promise.all([operation.close(), query.close()])),
  }
}
