import { setTimeout as wait } from 'node:timers/promises'
import type { Prices } from '../../../core/model/automation.ts'
import { defined } from '../../../core/model/defined.ts'
import type { Endpoint, Settings } from '../../../core/model/endpoint.ts'
import { plainly, readAs, unlessNewer, written } from '../../../core/model/formats.ts'
import type { LateCall } from '../../../core/model/plan.ts'
import { terms } from '../../../core/model/request.ts'
import { say } from '../../../core/model/words.ts'
import type { ListedPrices } from '../../../core/ports/request-store.ts'
import { type Store, Tampered } from '../../../core/ports/services.ts'
import type { StoreContext } from '../integrity/proof.ts'
import { macLength } from '../integrity/sign.ts'
import { loadReadable, loadRequest } from './state.ts'

/** Remembers which request holds each endpoint, what was last done to it, and the settings it was last given. */
export function createRemembered(context: StoreContext) {
  const { redis, keys, signer, readAt } = context
  return {
    async holderOf(endpoint) {
      const id = await redis.get(keys.lock(endpoint))
      const about = id === null ? null : await loadReadable(context, id)
      if (about !== null && about.endpoint?.id !== endpoint) throw misled('lock', endpoint)
      return id
    },
    async lastDone(endpoint) {
      const id = await redis.get(keys.done(endpoint))
      const done = id === null ? null : await loadRequest(context, id)
      if (done !== null && (done.endpoint?.id !== endpoint || done.status !== 'succeeded' || done.plan === undefined))
        throw misled('last', endpoint)
      return done
    },
    settingsOf: (endpoint) =>
      readAt(keys.settings(endpoint), ['settings', endpoint], (text) => readAs<Settings>('settings', text)),
    async rememberSettings(settings) {
      await redis.set(keys.settings(settings.id), signer.sign(['settings', settings.id], written('settings', settings)))
    },
    async forgetSettings(endpoint) {
      await redis.del(keys.settings(endpoint))
    },
    lateOf: (endpoint) => readAt(keys.late(endpoint), ['late', endpoint], (text) => readAs<LateCall>('late', text)),
    async rememberLate(endpoint, late) {
      const text = signer.sign(['late', endpoint], written('late', late))
      await redis.set(keys.late(endpoint), text, 'PX', 2 * terms.quarantine)
    },
    async pressableSince() {
      const since = await redis.get(keys.bots)
      return since === null ? null : Number(since)
    },
    async hint(field) {
      if (field !== undefined) await redis.set(keys.hint, signer.sign(['hint'], field), 'PX', 7 * 24 * 3_600_000)
      return readAt(keys.hint, ['hint'], (text) => plainly('hint', text))
    },
  } satisfies Partial<Store>
}

/** A bare id is not signed, so the request that it leads to must say what it is about. */
export function misled(what: 'lock' | 'last', endpoint: string): Tampered {
  return new Tampered(say('lockdown.misled', { what, endpoint }))
}

type Names = NonNullable<Awaited<ReturnType<Store['names']>>>

/** A list that is not renewed within this time is dropped. ms. */
const kept = 3_600_000
/** Endpoints that are switched within this time are written together. ms. */
const pause = 200

/** Keeps the endpoints as last listed: for names, never for decisions. */
export function createNames({ redis, keys, signer }: StoreContext) {
  // Fetching and parsing a long list would cost more than the command itself. Its MAC shows whether it has changed.
  let last: { readonly mac: string; readonly names: Names | null } | undefined

  async function names(): Promise<Names | null> {
    const mac = await redis.getrange(keys.names, 0, macLength - 1)
    if (mac === last?.mac) return last.names
    const stored = mac === '' ? null : await redis.get(keys.names)
    if (stored === null) return null
    // The endpoints are soon listed again, so a newer format counts as no list.
    const read = () => readAs<Names>('names', signer.read(['names'], stored))
    last = { mac: stored.slice(0, macLength), names: unlessNewer(read, null) }
    return last.names
  }

  async function keep(names: Names): Promise<void> {
    const stored = signer.sign(['names'], written('names', names))
    await redis.set(keys.names, stored, 'PX', kept)
    last = { mac: stored.slice(0, macLength), names }
  }

  const switched = new Map<string, { readonly active: boolean | null; readonly status: string | undefined }>()
  let quiet: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let listings = 0

  /** Writes the first change at once and later ones together, because each change rewrites the whole list. */
  async function noteSwitched(): Promise<void> {
    await quiet
    next = undefined
    const noted = keepSwitched()
    quiet = noted.catch(() => undefined).then(() => wait(pause, undefined, { ref: false }))
    await noted
  }

  async function keepSwitched(): Promise<void> {
    const news = new Map(switched)
    switched.clear()
    const before = listings
    const known = await names()
    // A list that came meanwhile is newer.
    if (listings !== before) return
    const isNews = ({ id, active, status }: Endpoint) => {
      const seen = news.get(id)
      return seen !== undefined && (seen.active !== active || seen.status !== status)
    }
    if (known?.endpoints.some(isNews) !== true) return
    const seen = (one: Endpoint) => ({ ...one, ...news.get(one.id) }) as Endpoint
    await keep({ ...known, endpoints: known.endpoints.map(seen) })
  }

  return {
    names,
    async rememberNames(endpoints, at) {
      const few = endpoints.map(({ id, name, active, status, gpu, replicas, autoscaled, tags = [] }) => ({
        ...defined({ id, name, active, status, gpu, replicas, autoscaled }),
        ...(tags.length > 0 && { tags }),
      }))
      listings += 1
      switched.clear()
      await keep({ at, endpoints: few })
    },
    async rememberState({ id, active, status }) {
      switched.set(id, { active, status })
      next ??= noteSwitched()
      await next
    },
  } satisfies Partial<Store>
}

export function createPrices({ redis, keys, signer, readAt }: StoreContext): ListedPrices {
  function pricesIn(text: string): Prices {
    type Stored = Pick<Prices, 'currency'> & { readonly perHour: readonly (readonly [string, number])[] }
    const { currency, perHour } = readAs<Stored>('prices', text)
    return { currency, perHour: new Map(perHour) }
  }
  return {
    prices: () => readAt(keys.prices, ['prices'], pricesIn),
    async rememberPrices({ currency, perHour }) {
      await redis.set(keys.prices, signer.sign(['prices'], written('prices', { currency, perHour: [...perHour] })))
    },
  }
}
