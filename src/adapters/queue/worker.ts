import { randomUUID } from 'node:crypto'
import { type ConnectionOptions, type Job, Worker } from 'bullmq'
import { valueAs } from '../../core/model/formats.ts'
import type { Request } from '../../core/model/request.ts'
import type { Lease } from '../../core/ports/request-store.ts'
import type { Clock, Log, Received } from '../../core/ports/services.ts'
import type { Nearby } from '../../core/requests/receive.ts'

/** A job waits for people's networks, not for this processor. Of each kind, and again for what comes in nearby. */
const concurrency = 20

export interface Workers {
  /** A hand for what this process is about to store, without a way through the queue, `concurrency` at a time. */
  readonly offer: Nearby
  close(): Promise<void>
}

interface Work {
  /** Takes a request up, under a lease of its own unless there is one. */
  readonly advance: (id: string, lease?: Lease) => Promise<void>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
}

/** Runs `advance` for every wake-up. Our own lease decides who works; BullMQ's lock only decides who is rung up. */
export function createWorkers(connection: ConnectionOptions, tag: string, { advance, clock, log }: Work): Workers {
  const running = new Set<Promise<void>>()
  let closing = false
  async function run(work: () => Promise<void>): Promise<void> {
    const one = work().finally(() => running.delete(one))
    running.add(one)
    return one
  }

  const inHand = { operation: 0, query: 0 }
  async function follow(id: string, stored: Promise<Received>, lease: Lease, written?: Request): Promise<void> {
    const { kind } = await stored
    if (kind === 'nothing' || kind === 'gone' || kind === 'refused') return
    await advance(id, kind === 'stored' && written !== undefined ? { ...lease, written } : lease)
  }

  async function ring({ name, data }: Pick<Job<JobData>, 'name' | 'data'>): Promise<void> {
    // Whatever else a newer version rings for, what it has stored is found by its sweep.
    if (name !== wakeUp) return log.warn({ name }, 'a job of a newer version was left to it')
    const { requestId } = valueAs<JobData>('job', data)
    // BullMQ may hand out a last job while it closes; whoever sweeps next takes that request up.
    if (!closing) await run(() => advance(requestId))
  }

  const workers = Object.values(queues).map((name) => {
    const worker = new Worker<JobData>(name, ring, {
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
    offer(kind) {
      if (closing || inHand[kind] >= concurrency) return null
      inHand[kind] += 1
      const lease = { token: randomUUID(), since: clock.monotonic() }
      return {
        lease,
        take(id, stored, written) {
          // It may be held already, so it is carried to its rest also while this closes.
          run(() => follow(id, stored, lease, written))
            .catch((err: unknown) => log.warn({ err, request: id }, 'what has just come in could not be taken up'))
            .finally(() => {
              inHand[kind] -= 1
            })
        },
      }
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

/** The queues of a project. Queries have one of their own, so that bulk work never delays a person who only asks. */
export const queues = { operation: 'changes', query: 'answers' } as const

/** All that a job holds beside the number of its format. The stored request is the truth; a job is an alarm clock. */
export interface JobData {
  readonly requestId: string
}

/** What a job of these queues is called. */
export const wakeUp = 'advance'
