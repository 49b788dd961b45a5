import { writeWord } from '../../core/commands/tokens.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Reading } from '../../core/model/reading.ts'
import type { Circumstances } from '../../core/ports/metrics.ts'
import { isDue, listen, type Overheard } from './access-logs.ts'
import { createFetcher } from './fetch.ts'
import { type Limit, probing } from './limit.ts'
import { type Probed, type ProbeMemory, probe } from './probe.ts'
import { type Kept, type Look, needsLogs, readingOf } from './reading.ts'

/** What is kept of an endpoint from one look to the next: plain values, written as JSON. */
export interface Watched {
  readonly memory: ProbeMemory
  readonly kept: Kept | null
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
/** Logs come through the platform's API, which people wait for as well. */
const gently: Limit = { atOnce: 2, perSecond: 5 }

/** Looks at the endpoints of one project, so many at once. */
export function createWatch({ allowPrivate, key, timeoutMs, limit = usual }: WatchOptions): Watch {
  const fetcher = createFetcher({ allowPrivate, ...(timeoutMs !== undefined && { timeoutMs }) })
  const prober = { fetcher, ...(key !== undefined && { key }) }
  const inTurn = probing(limit)
  const listening = probing(gently)

  async function probed(
    endpoint: Endpoint,
    { replicas, path, probeAutoscaled }: Circumstances,
    memory: ProbeMemory,
    now: number,
  ): Promise<Probed> {
    if (endpoint.autoscaled === true && probeAutoscaled !== true)
      return { samples: [], missing: autoscaled(endpoint), memory }
    const target = {
      url: endpoint.url ?? '',
      replicas: replicas.length,
      path: path ?? null,
      name: writeWord(endpoint.name),
    }
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

  async function overheard(look: Look, { logs, last }: Circumstances, before: Overheard | undefined) {
    if (logs === undefined || !needsLogs(look) || (last !== true && !isDue(before, look.at))) return before
    return listening(() => listen(logs, look.replicas, before, look.at))
  }

  return {
    async look(endpoint, circumstances, before, now) {
      const known = before?.memory ?? { misses: {} }
      const { memory, ...found } = await alone(endpoint.id, () => probed(endpoint, circumstances, known, now))
      const { replicas, changed } = circumstances
      const look = { at: now, replicas, ...found, ...(changed !== undefined && { changed }) }
      const logs = await overheard(look, circumstances, before?.kept?.logs)
      const { reading, kept } = readingOf({ ...look, ...(logs && { logs }) }, before?.kept ?? null)
      return { reading, watched: { memory, kept } }
    },
    stop: () => fetcher.stop(),
  }
}

function autoscaled({ name }: Pick<Endpoint, 'name'>): string {
  const line = `/endpoint idle ${writeWord(name)} after 60m autoscaled=yes`
  return `it scales by itself, and asking for its metrics could keep it up; its owner may allow that with ${line}`
}
