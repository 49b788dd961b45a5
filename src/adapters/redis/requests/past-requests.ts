import type { Settings } from '../../../core/model/endpoint.ts'
import { plainly, readAs, written } from '../../../core/model/formats.ts'
import { terms } from '../../../core/model/limits.ts'
import type { LateCall } from '../../../core/model/plan.ts'
import type { Event } from '../../../core/model/request.ts'
import type { Memory } from '../../../core/ports/request-store.ts'
import { type Store, Tampered } from '../../../core/ports/services.ts'
import type { StoreContext } from '../context.ts'
import { loadReadable, loadRequest } from './state.ts'

/** What is over. The index is written with the move that ends a request; the records live as long as it does. */
export function createPast(context: StoreContext): Pick<Memory, 'past' | 'eventsOf'> {
  const { redis, keys, signer } = context
  return {
    async past(since, skip, most) {
      const ids = await redis.zrevrangebyscore(keys.past, '+inf', since, 'LIMIT', skip, most)
      const found = await Promise.all(ids.map((id) => loadReadable(context, id)))
      return { requests: found.filter((request) => request !== null), more: ids.length === most }
    },
    async eventsOf(id) {
      const stored = await redis.lrange(keys.history(id), 0, -1)
      return stored.map((one) => readAs<Event>('event', signer.read(['event', id], one)))
    },
  }
}

type RequestMemory = Pick<
  Store,
  'holderOf' | 'lastDone' | 'settingsOf' | 'rememberSettings' | 'forgetSettings' | 'lateOf' | 'rememberLate' | 'hint'
>

/** What is remembered of each endpoint: who holds it, what was last done to it, the settings it was last given. */
export function createMemory(context: StoreContext): RequestMemory {
  const { redis, keys, signer } = context
  return {
    async holderOf(endpoint) {
      const id = await redis.get(keys.lock(endpoint))
      const about = id === null ? null : await loadReadable(context, id)
      if (about !== null && about.endpoint?.id !== endpoint) throw misled(`lock of ${endpoint}`)
      return id
    },
    async lastDone(endpoint) {
      const id = await redis.get(keys.done(endpoint))
      const done = id === null ? null : await loadRequest(context, id)
      if (done !== null && (done.endpoint?.id !== endpoint || done.status !== 'succeeded' || done.plan === undefined))
        throw misled(`memory of what was last done to ${endpoint}`)
      return done
    },
    async settingsOf(endpoint) {
      const stored = await redis.get(keys.settings(endpoint))
      return stored === null ? null : readAs<Settings>('settings', signer.read(['settings', endpoint], stored))
    },
    async rememberSettings(settings) {
      await redis.set(keys.settings(settings.id), signer.sign(['settings', settings.id], written('settings', settings)))
    },
    async forgetSettings(endpoint) {
      await redis.del(keys.settings(endpoint))
    },
    async lateOf(endpoint) {
      const stored = await redis.get(keys.late(endpoint))
      return stored === null ? null : readAs<LateCall>('late', signer.read(['late', endpoint], stored))
    },
    async rememberLate(endpoint, late) {
      const text = signer.sign(['late', endpoint], written('late', late))
      await redis.set(keys.late(endpoint), text, 'PX', 2 * terms.quarantine)
    },
    async hint(field) {
      if (field !== undefined) await redis.set(keys.hint, signer.sign(['hint'], field), 'PX', 7 * 24 * 3_600_000)
      const stored = await redis.get(keys.hint)
      return stored === null ? null : plainly('hint', signer.read(['hint'], stored))
    },
  }
}

/** Bare ids are not signed; the request that one leads to says itself what it is about. */
function misled(what: string): Tampered {
  return new Tampered(`The ${what} in Redis names a request about something else.`)
}

/** Long enough for Slack to come back after a bad hour. ms. */
const life = 2 * 3_600_000

/** Files on their way to a person: beside the request, which is read and written too often to carry them. */
export function createFiles({ redis, keys, signer }: StoreContext): Pick<Memory, 'keepFiles' | 'fileOf'> {
  return {
    async keepFiles(id, texts) {
      await Promise.all(
        texts.map((text, at) => redis.set(keys.file(`${id}:${at}`), signer.sign(['file', id, at], text), 'PX', life)),
      )
    },
    async fileOf(id, at) {
      const stored = await redis.get(keys.file(`${id}:${at}`))
      return stored === null ? null : plainly('file', signer.read(['file', id, at], stored))
    },
  }
}
