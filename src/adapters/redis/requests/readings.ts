import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { readAs, written } from '../../../core/model/formats.ts'
import type { Segment } from '../../../core/model/reading.ts'
import type { ReconcileState } from '../../../core/model/records.ts'
import { type Readings, segmentsAtHand, type WatchedEndpoint } from '../../../core/ports/endpoint-use.ts'
import type { ReconcileStore } from '../../../core/ports/request-store.ts'
import { keptMs } from '../../../features/idle/idle-clock.ts'
import { releaserOn } from '../connection/calls.ts'
import type { StoreContext } from '../integrity/proof.ts'

/** With more segments, all but the newest are stored apart: a check of a month of them would take seconds. */
const most = 3 * segmentsAtHand

/** Stores how endpoints were used. Without its reading an endpoint counts as new, and its idle clock starts again. */
export function createReadings({ redis, keys, signer }: StoreContext): Readings {
  function read(endpoint: string, text: string): WatchedEndpoint {
    return readAs('reading', signer.read(['reading', endpoint], text))
  }

  function readOlder(endpoint: string, text: string | null | undefined): readonly Segment[] {
    if (text === null || text === undefined) return []
    return readAs('segments', signer.read(['reading', endpoint, 'older'], text))
  }

  async function layAside(endpoint: string, { at, segments }: WatchedEndpoint): Promise<void> {
    const aside = segments.slice(0, -segmentsAtHand)
    const [first] = aside
    if (first === undefined) return
    const before = readOlder(endpoint, await redis.hget(keys.older, endpoint))
    // Segments that an earlier attempt stored apart are not stored there twice.
    const older = before.filter(({ from, to }) => from < first.from && to > at - keptMs)
    const text = JSON.stringify([...older, ...aside])
    await redis.hset(keys.older, endpoint, signer.sign(['reading', endpoint, 'older'], text))
  }

  return {
    async watched() {
      const texts = await redis.hgetall(keys.readings)
      return new Map(Object.entries(texts).map(([endpoint, text]) => [endpoint, read(endpoint, text)]))
    },
    async watchedOf(endpoint) {
      const [text, older] = await Promise.all([redis.hget(keys.readings, endpoint), redis.hget(keys.older, endpoint)])
      if (text === null) return null
      const watched = read(endpoint, text)
      const from = watched.segments[0]?.from ?? 0
      const before = readOlder(endpoint, older).filter((segment) => segment.from < from)
      return { ...watched, segments: [...before, ...watched.segments] }
    },
    async keepWatched(changes) {
      const texts = new Map<string, string | null>()
      for (const [endpoint, watched] of changes) {
        const isLong = watched !== null && watched.segments.length > most
        if (isLong) await layAside(endpoint, watched)
        const kept = isLong ? { ...watched, segments: watched.segments.slice(-segmentsAtHand) } : watched
        texts.set(endpoint, kept && signer.sign(['reading', endpoint], written('reading', kept)))
      }
      const gone = await setFields(redis, keys.readings, texts)
      if (gone.length > 0) await redis.hdel(keys.older, ...gone)
    },
  }
}

/** Sets fields of a hash, and deletes and returns those that are null. */
async function setFields(redis: Redis, key: string, texts: ReadonlyMap<string, string | null>) {
  const kept = [...texts].flatMap(([field, text]) => (text === null ? [] : [field, text]))
  const gone = [...texts].flatMap(([field, text]) => (text === null ? [field] : []))
  await Promise.all([kept.length > 0 && redis.hset(key, ...kept), gone.length > 0 && redis.hdel(key, ...gone)])
  return gone
}

/** Stores reconcile states. A lost one pauses a rule or sends its line again, under an id that is known already. */
export function createRulings({ redis, keys, signer }: StoreContext): ReconcileStore {
  const release = releaserOn(redis)
  /** The states as last read, because hardly any changes between two checks. */
  let read = { texts: {} as Readonly<Record<string, string>>, states: new Map<string, ReconcileState>() }
  return {
    async reconcileStates() {
      const texts = await redis.hgetall(keys.reconcileStates)
      const states = new Map<string, ReconcileState>()
      for (const [id, text] of Object.entries(texts)) {
        const known = read.texts[id] === text ? read.states.get(id) : undefined
        states.set(id, known ?? readAs('reconcileState', signer.read(['pursuit', id], text)))
      }
      read = { texts, states }
      return states
    },
    async noteReconcileStates(changes) {
      const texts = [...changes].map(
        ([id, one]) => [id, one && signer.sign(['pursuit', id], written('reconcileState', one))] as const,
      )
      await setFields(redis, keys.reconcileStates, new Map(texts))
    },
    async takeTurn(what, life) {
      const turn = `${keys.reconcileStates}:turn:${what}`
      const token = randomUUID()
      if ((await redis.set(turn, token, 'PX', life, 'NX')) !== 'OK') return null
      return () => release(turn, token)
    },
  }
}
