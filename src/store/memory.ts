import type { Settings } from '../domain/endpoint.ts'
import { plainly, readAs, written } from '../domain/formats.ts'
import type { LateCall } from '../domain/progress.ts'
import { terms } from '../domain/terms.ts'
import { type Store, Tampered } from '../lifecycle/ports.ts'
import type { Ground } from './ground.ts'
import { readable } from './history.ts'

type RequestMemory = Pick<
  Store,
  'holderOf' | 'lastDone' | 'settingsOf' | 'rememberSettings' | 'forgetSettings' | 'lateOf' | 'rememberLate' | 'hint'
>

/** What is remembered of each endpoint: who holds it, what was last done to it, the settings it was last given. */
export function createMemory({ redis, keys, signer, texts }: Ground): RequestMemory {
  return {
    async holderOf(endpoint) {
      const id = await redis.get(keys.lock(endpoint))
      const about = id === null ? null : await readable(texts, id)
      if (about !== null && about.endpoint?.id !== endpoint) throw misled(`lock of ${endpoint}`)
      return id
    },
    async lastDone(endpoint) {
      const id = await redis.get(keys.done(endpoint))
      const done = id === null ? null : await texts.load(id)
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
