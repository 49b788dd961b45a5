import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { keyOf } from '../domain/records.ts'
import { isEnded, mayMove, type Press, type Request } from '../domain/request.ts'
import { type Clock, type Held, LeaseLost, type Moved } from '../lifecycle/ports.ts'
import type { Keys } from './keys.ts'
import { scriptOn } from './script.ts'
import * as scripts from './scripts.ts'

export interface Leases {
  readonly redis: Redis
  readonly keys: Keys
  readonly clock: Clock
  /** ms; renewed every third of it. */
  readonly leaseMs: number
  readonly hold: (leases: Leases, claimed: Claimed) => Held
}

export interface Claimed {
  readonly id: string
  readonly token: string
  /** Monotonic ms, taken before the claim was sent. */
  readonly since: number
  /** What the script answers after `yours`: version, text, posts, starts, presses. */
  readonly fields: readonly unknown[]
}

/** How long an ended request is remembered, ms: a query's answer is soon stale, an operation is history. */
const life = { query: 10 * 60_000, operation: 90 * 24 * 3_600_000 } as const

/** Binds the scripts once per connection. */
export function holder(redis: Redis): Leases['hold'] {
  const claim = scriptOn(redis, 'lamplighterClaim', scripts.claim)
  const renew = scriptOn(redis, 'lamplighterRenew', scripts.renew)
  const move = scriptOn(redis, 'lamplighterMove', scripts.move)
  const savePosts = scriptOn(redis, 'lamplighterSavePosts', scripts.savePosts)
  const release = scriptOn(redis, 'lamplighterRelease', scripts.release)

  return ({ keys, clock, leaseMs }, { id, token, since, fields }) => {
    let state = stateOf(fields)
    let until = since + leaseMs
    let extending = false
    const renewal = setInterval(() => void extend(), leaseMs / 3)

    async function extend(): Promise<void> {
      // One at a time: a connection that carries questions and no answers must not keep the lease for ever.
      if (extending) return
      extending = true
      const asked = clock.monotonic()
      const kept = await renew([keys.lease(id)], [token, leaseMs]).catch(() => 0)
      // A lease that could not be renewed simply ends at its time: nothing is called that would outlive it.
      if (kept === 1) until = asked + leaseMs
      extending = false
    }

    let moved: (() => void) | undefined

    return {
      get request() {
        return state.request
      },
      get version() {
        return state.version
      },
      get presses() {
        return state.presses
      },
      get posts() {
        return state.posts
      },
      get starts() {
        return state.starts
      },
      until: () => until,

      async move(next, events, options = {}): Promise<Moved> {
        if (!mayMove(state.request.status, next.status))
          throw new Error(`A request that is ${state.request.status} cannot become ${next.status}.`)
        const places = [
          keys.request(id),
          keys.lease(id),
          keys.history(id),
          keys.presses(id),
          keys.lock(next.endpoint?.id ?? ''),
          keys.done(next.endpoint?.id ?? ''),
          keys.past,
        ]
        const { lock = '', answered = 0 } = options
        const done = next.status === 'succeeded' && next.plan !== undefined ? 'done' : ''
        const written = [
          token,
          randomUUID(),
          state.version,
          JSON.stringify(next),
          lock,
          id,
          answered,
          done,
          ...indexed(next),
        ]
        const told = events.map((event) => JSON.stringify(event))
        const [answer, by] = (await sure(move(places, [...written, ...told]))) as string[]
        if (answer === 'taken') return { kind: 'taken', by: by ?? '' }
        if (answer !== 'moved') throw new LeaseLost('Another worker holds this request now.')
        const { put = [], drop = [] } = options.change ?? {}
        if (put.length > 0)
          await redis.hset(keys.records, ...put.flatMap((record) => [keyOf(record), JSON.stringify(record)]))
        if (drop.length > 0) await redis.hdel(keys.records, ...drop)
        state = { ...state, request: next, version: state.version + 1, presses: state.presses.slice(answered) }
        moved?.()
        return { kind: 'moved' }
      },

      watch(listener) {
        moved = listener
      },

      async savePosts(posts) {
        if ((await sure(savePosts([keys.request(id), keys.lease(id)], [token, posts]))) !== 1)
          throw new LeaseLost('Another worker holds this request now.')
        state = { ...state, posts }
      },

      async release(at) {
        const over = at === null && isEnded(state.request.status)
        const places = [keys.request(id), keys.lease(id), keys.wake, keys.history(id), keys.presses(id)]
        const words = [token, randomUUID(), leaseMs, id, at ?? '', over ? life[state.request.kind] : '']
        const kept = await sure(release(places, words))
        if (kept !== 0) clearInterval(renewal)
        return kept !== 0
      },

      async refresh() {
        const asked = clock.monotonic()
        const places = [keys.request(id), keys.lease(id), keys.presses(id), keys.wake]
        const claiming = claim(places, [token, leaseMs, id, clock.now() + leaseMs])
        const [answer, ...fresh] = (await sure(claiming)) as unknown[]
        if (answer !== 'yours') throw new LeaseLost('Another worker holds this request now.')
        until = asked + leaseMs
        state = stateOf(fresh)
      },

      abandon() {
        clearInterval(renewal)
        until = Number.NEGATIVE_INFINITY
      },
    }
  }
}

/** When an operation ended, or nothing, and the time before which nobody remembers any; ms since 1970. */
function indexed({ kind, ending }: Request): readonly [number | '', number] {
  return kind === 'operation' && ending !== undefined ? [ending.at, ending.at - life.operation] : ['', 0]
}

/** A write whose end nobody knows: what we hold is no longer sure, so it is put down where it is. */
async function sure<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (cause) {
    throw new LeaseLost('The storage did not answer.', { cause })
  }
}

interface State {
  readonly version: number
  readonly request: Request
  readonly posts: string | null
  readonly starts: number
  readonly presses: readonly Press[]
}

/** Texts written by this product, read back as what they were. */
function stateOf([version, text, posts, starts, presses]: readonly unknown[]): State {
  return {
    version: Number(version),
    request: JSON.parse(String(text)) as Request,
    posts: posts === '' ? null : String(posts),
    starts: Number(starts),
    presses: (presses as readonly string[]).map((press) => JSON.parse(press) as Press),
  }
}
