import { setTimeout as wait } from 'node:timers/promises'
import { errors } from 'undici'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Circumstances } from '../../core/ports/endpoint-use.ts'
import { createGuarded, type GuardedOptions, PrivateAddress, TooSlow } from '../http/ssrf-guard.ts'
import type { Proxies } from '../http/transport.ts'
import { isDue, type LogReading, readAccessLogs } from './access-logs.ts'
import { type Fetched, type Probed, type ProbeMemory, probe } from './probe.ts'
import { type LookMemory, type MetricsLook, needsLogs, readLook } from './reading.ts'

/** What the next look needs to know about an endpoint. Stored as JSON. */
export interface WatchMemory {
  readonly memory: ProbeMemory
  readonly kept: LookMemory | null
}

export interface WatchOptions {
  readonly allowPrivate: boolean
  /** A key for probing only, never the platform's own. */
  readonly key?: string | undefined
  /** ms for a whole page. */
  readonly timeoutMs?: number
  readonly proxy?: Proxies | undefined
}

export function createWatch({ allowPrivate, key, timeoutMs = 5_000, proxy }: WatchOptions) {
  const fetcher = createFetcher({ allowPrivate, timeoutMs, proxy })
  // A thousand endpoints in 40 s, which leaves time in the minute for slow ones.
  const turn = createLimiter(25)
  // Logs come through the platform's API, which people wait for as well.
  const turnForLogs = createLimiter(5)

  async function probed(
    endpoint: Endpoint,
    { replicas, path, probeAutoscaled }: Circumstances,
    memory: ProbeMemory,
    now: number,
  ): Promise<Probed> {
    const { url = '', name } = endpoint
    if (endpoint.autoscaled === true && probeAutoscaled !== true) {
      const line = `/endpoint idle ${writeWord(name)} after 60m autoscaled=yes`
      return { samples: [], missing: say('reading.autoscaled', { line }), memory }
    }
    const target = { url, replicas: replicas.length, path, name: writeWord(name), key }
    await turn()
    return probe(fetcher, target, memory, now)
  }

  // Two looks at once behind a round-robin balancer would each always see the same replicas, so they take turns.
  const last = new Map<string, Promise<unknown>>()
  async function alone(id: string, work: () => Promise<Probed>): Promise<Probed> {
    const result = (last.get(id) ?? Promise.resolve()).then(work)
    last.set(id, result)
    return result.finally(() => {
      if (last.get(id) === result) last.delete(id)
    })
  }

  async function logsFor(look: MetricsLook, { logs, last }: Circumstances, before: LogReading | undefined) {
    if (logs === undefined || !needsLogs(look) || (last !== true && !isDue(before, look.at))) return before
    await turnForLogs()
    return readAccessLogs(logs, look.replicas, before, look.at)
  }

  return {
    /** Reads whether an endpoint is used. `before`: the result of the last look; `now`: ms since 1970. Never throws. */
    async look(endpoint: Endpoint, circumstances: Circumstances, before: WatchMemory | null, now: number) {
      const known = before?.memory ?? { misses: {} }
      const { memory, ...found } = await alone(endpoint.id, () => probed(endpoint, circumstances, known, now))
      const { replicas, changed } = circumstances
      const look = { at: now, replicas, ...found, ...(changed !== undefined && { changed }) }
      const logs = await logsFor(look, circumstances, before?.kept?.logs)
      const { reading, kept } = readLook({ ...look, ...(logs && { logs }) }, before?.kept ?? null)
      return { reading, watched: { memory, kept } }
    },
    stop: () => fetcher.stop(),
  }
}

/** Lets work begin `perSecond` times at most, so that a round is spread out. The watch limits how much runs at once. */
export function createLimiter(perSecond: number): () => Promise<void> {
  let next = 0
  return async () => {
    const now = performance.now()
    next = Math.max(next, now)
    const pause = next - now
    next += 1_000 / perSecond
    if (pause >= 1) await wait(pause, undefined, { ref: false })
  }
}

/** The longest page that is read, in bytes; far above that of a server with many models. */
const maxBytes = 4 * 1024 * 1024

/** Fetches pages from URLs that others chose: address, time (of a whole page, ms) and size are limited. */
export function createFetcher({ allowPrivate, timeoutMs, proxy }: Omit<GuardedOptions, 'maxBytes'>) {
  const guarded = createGuarded({ allowPrivate, timeoutMs, maxBytes, proxy })

  return {
    /** Sends the key as a bearer token. Follows no redirect. Never throws. */
    async get(url: URL, key?: string): Promise<Fetched> {
      const headers = {
        accept: 'text/plain;version=0.0.4, */*;q=0.1',
        // A page's size does not limit the time to unpack it.
        'accept-encoding': 'identity',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      }
      try {
        return await guarded.call(url, { headers }, async (answer): Promise<Fetched> => {
          const location = answer.headers.get('location')
          if (answer.status !== 200) return { kind: 'status', status: answer.status, ...(location && { location }) }
          if ((answer.headers.get('content-encoding') ?? 'identity') !== 'identity')
            return { kind: 'failed', why: say('reading.packed') }
          // Twice as fast as UTF-8, and the names that matter are ASCII.
          return { kind: 'page', text: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
        })
      } catch (fault) {
        return { kind: 'failed', why: whyFailed(fault, timeoutMs) }
      }
    },
    stop: () => guarded.stop(),
  }
}

function whyFailed(fault: unknown, timeoutMs: number): Words {
  if (fault instanceof TooSlow) return say('reading.slow', { seconds: timeoutMs / 1000 })
  if (fault instanceof errors.ResponseExceededMaxSizeError) return say('reading.long', { most: maxBytes / 1024 / 1024 })
  if (fault instanceof PrivateAddress) return say('reading.private', { setting: 'signals: { allow_private: true }' })
  return say('reading.unreachable')
}
