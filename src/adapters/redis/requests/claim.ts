import { randomUUID } from 'node:crypto'
import { type Commands, parseOnce } from '../../../core/commands/commands.ts'
import { type Event, isEnded } from '../../../core/model/request.ts'
import { type ClaimedRequest, type Clock, LeaseLost, type Moved, Tampered } from '../../../core/ports/services.ts'
import { scriptOn } from '../connection/script.ts'
import type { StoreContext } from '../context.ts'
import { macLength } from '../integrity/sign.ts'
import { lifeOf, moverOn, orLeaseLost } from './move.ts'
import * as scripts from './scripts.ts'
import { type StoredState, stateIn } from './state.ts'

export interface Leases extends StoreContext {
  readonly clock: Clock
  readonly commands: Commands
  /** ms; renewed every third of it. */
  readonly leaseMs: number
}

export interface Claimed {
  readonly id: string
  readonly token: string
  /** Monotonic ms, taken before the claim was sent. */
  readonly since: number
  readonly state: StoredState
}

/** Binds the scripts once per connection. */
export function holder(leases: Leases): (claimed: Claimed) => ClaimedRequest {
  const { redis, keys, clock, commands, leaseMs, signer, trail, proof } = leases
  const claim = scriptOn(redis, 'lamplighterClaim', scripts.claim)
  const renew = scriptOn(redis, 'lamplighterRenew', scripts.renew)
  const savePosts = scriptOn(redis, 'lamplighterSavePosts', scripts.savePosts)
  const leave = scriptOn(redis, 'lamplighterLeave', scripts.leave)
  const release = scriptOn(redis, 'lamplighterRelease', scripts.release)
  const mover = moverOn(leases)

  return ({ id, token, since, state: claimed }) => {
    let state = claimed
    const parsed = parseOnce(commands)
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

    let moved: ((events: readonly Event[]) => void) | undefined

    return {
      get request() {
        return state.request
      },
      get command() {
        return parsed.operation(state.request.line)
      },
      get query() {
        return parsed.query(state.request.line)
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
        const answer = await mover(state, token, next, events, options)
        if (answer.kind !== 'moved') return answer
        const presses = state.presses.slice(options.answered ?? 0)
        state = { ...state, request: next, version: state.version + 1, presses }
        moved?.(events)
        return answer
      },

      watch(listener) {
        moved = listener
      },

      async savePosts(posts) {
        const stored = signer.sign(['posts', id], posts)
        if ((await orLeaseLost(savePosts([keys.request(id), keys.lease(id)], [token, stored]))) !== 1)
          throw new LeaseLost('Another worker holds this request now.')
        state = { ...state, posts }
      },

      async release(at) {
        const over = at === null && isEnded(state.request.status)
        const places = [keys.request(id), keys.lease(id), keys.wake, keys.history(id), keys.presses(id)]
        const words = [token, randomUUID(), leaseMs, id, at ?? '', over ? lifeOf(state.request) : '']
        const kept = await orLeaseLost(release(places, words))
        if (kept !== 0) clearInterval(renewal)
        return kept !== 0
      },

      async refresh() {
        const asked = clock.monotonic()
        const rootIn = proof.reading()
        const places = [keys.request(id), keys.lease(id), keys.presses(id), keys.wake, keys.root]
        const claiming = claim(places, [token, leaseMs, id, clock.now() + leaseMs])
        const [answer, ...fresh] = (await orLeaseLost(claiming)) as unknown[]
        if (answer !== 'yours') throw new LeaseLost('Another worker holds this request now.')
        until = asked + leaseMs
        const root = rootIn(String(fresh[5]))
        const next = stateIn(signer, id, fresh)
        if (next.version < state.version) throw new Tampered(`The request ${id} in Redis is an old one, put back.`)
        await trail.prove(root, next.version, next.request)
        state = next
      },

      async leave() {
        clearInterval(renewal)
        until = Number.NEGATIVE_INFINITY
        await leave([keys.lease(id), keys.request(id), keys.wake], [token, id, clock.now()])
      },

      abandon() {
        clearInterval(renewal)
        until = Number.NEGATIVE_INFINITY
      },
    }
  }
}

/** As long as anybody may want to look at it. ms. */
const life = 90 * 24 * 3_600_000

/**
 * Takes a request that cannot be believed out of everybody's way, so that it breaks nothing a second time; it is kept
 * to be looked at. What it seems to be about only lets go of a lock that names it.
 */
export function setterAside({
  redis,
  keys,
}: StoreContext): (id: string, token: string, stored: unknown) => Promise<void> {
  const script = scriptOn(redis, 'lamplighterSetAside', scripts.setAside)
  return async (id, token, stored) => {
    const places = [keys.request(id), keys.lease(id), keys.wake, keys.aside(id), keys.lock(endpointIn(stored))]
    await script(places, [token, id, life])
  }
}

function endpointIn(stored: unknown): string {
  try {
    const { endpoint } = JSON.parse(String(stored).slice(macLength)) as { endpoint?: { id?: unknown } }
    return typeof endpoint?.id === 'string' ? endpoint.id : ''
  } catch {
    return ''
  }
}
