import type { Endpoint, Replica } from '../domain/endpoint.ts'
import type { Reading } from '../domain/reading.ts'
import { createFetcher } from './fetch.ts'
import { type Probed, type ProbeMemory, probe } from './probe.ts'
import { type Limit, probing } from './probing.ts'
import { type Kept, readingOf } from './reading.ts'

/** What is kept of an endpoint from one look to the next: plain values, written as JSON. */
export interface Watched {
  readonly memory: ProbeMemory
  readonly kept: Kept | null
}

/** What a look needs to know besides the endpoint itself. */
export interface Circumstances {
  readonly replicas: readonly Replica[]
  /** The metric path that a patch has set. */
  readonly path?: string | null
  /** Whether its owner lets it be probed although it scales by itself. */
  readonly probeAutoscaled?: boolean
  /** What somebody changed within its time of grace, as the end of a sentence. */
  readonly changed?: string
  /** The last words of the logs that were read, by the replica's id. */
  readonly words?: Readonly<Record<string, string>>
}

export interface Watch {
  /** Reads whether an endpoint is used, beside what was kept of the look before. `now` in ms since 1970. Never throws. */
  look(
    endpoint: Endpoint,
    circumstances: Circumstances,
    before: Watched | null,
    now: number,
  ): Promise<{ readonly reading: Reading; readonly watched: Watched }>
  /** Ends every connection. */
  stop(): Promise<void>
}

export interface WatchOptions {
  readonly allowPrivate: boolean
  /** A key made for probing and nothing else. Never the platform's own. */
  readonly key?: string
  /** ms for a whole page; 5 s unless given. */
  readonly timeoutMs?: number
  readonly limit?: Limit
}

/** A thousand endpoints in 40 s, which leaves room in the minute for those that answer slowly. */
const usual: Limit = { atOnce: 16, perSecond: 25 }

/** Looks at the endpoints of one project, so many at once. */
export function createWatch({ allowPrivate, key, timeoutMs, limit = usual }: WatchOptions): Watch {
  const fetcher = createFetcher({ allowPrivate, ...(timeoutMs !== undefined && { timeoutMs }) })
  const prober = { fetcher, ...(key !== undefined && { key }) }
  const inTurn = probing(limit)

  async function probed(
    endpoint: Endpoint,
    { replicas, path, probeAutoscaled }: Circumstances,
    memory: ProbeMemory,
    now: number,
  ): Promise<Probed> {
    if (endpoint.autoscaled === true && probeAutoscaled !== true) return { samples: [], missing: autoscaled, memory }
    const target = { url: endpoint.url ?? '', replicas: replicas.length, path: path ?? null }
    return inTurn(() => probe(prober, target, memory, now))
  }

  // Two who scrape in step would each be led to the same replica again and again, where turns are taken.
  const last = new Map<string, Promise<unknown>>()
  async function alone(id: string, work: () => Promise<Probed>): Promise<Probed> {
    const mine = (last.get(id) ?? Promise.resolve()).then(work)
    last.set(id, mine)
    return mine.finally(() => {
      if (last.get(id) === mine) last.delete(id)
    })
  }

  return {
    async look(endpoint, circumstances, before, now) {
      const known = before?.memory ?? { misses: {} }
      const { memory, ...found } = await alone(endpoint.id, () => probed(endpoint, circumstances, known, now))
      const { replicas, changed, words } = circumstances
      const look = { at: now, replicas, ...found, ...(changed !== undefined && { changed }), ...(words && { words }) }
      const { reading, kept } = readingOf(look, before?.kept ?? null)
      return { reading, watched: { memory, kept } }
    },
    stop: () => fetcher.stop(),
  }
}

const autoscaled = 'it scales by itself, and asking for its metrics could keep it up; its owner may allow that'
