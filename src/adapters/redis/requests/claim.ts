import { randomUUID } from 'node:crypto'
import { parseOnce } from '../../../core/commands/commands.ts'
import { Newer } from '../../../core/model/formats.ts'
import { isEnded } from '../../../core/model/request.ts'
import { say } from '../../../core/model/words.ts'
import { type ClaimedRequest, Tampered } from '../../../core/ports/services.ts'
import { Unproven } from '../../../core/requests/claim-other.ts'
import { orLeaseLost, scriptOn } from '../connection/calls.ts'
import type { StoreContext } from '../integrity/proof.ts'
import { deflated } from '../integrity/sign.ts'
import type { IntakeOptions } from './intake.ts'
import { leaseLost, lives, moverOn, tellMove } from './move.ts'
import * as scripts from './scripts.ts'
import { endpointIn, type StoredState, stateIn } from './state.ts'

interface Leases extends StoreContext, Pick<IntakeOptions, 'clock' | 'commands' | 'log' | 'meter'> {
  /** The length of a lease, ms. It is renewed after each third of that. */
  readonly leaseMs: number
}

/** Claims a request; null while another worker has claimed it. Throws Tampered, Newer, Unproven. */
export function claiming(leases: Leases): (id: string) => Promise<ClaimedRequest | null> {
  const { redis, keys, clock, commands, leaseMs, signer, trail, proof } = leases
  const claim = scriptOn(redis, 'lamplighterClaim', scripts.claim)
  const renew = scriptOn(redis, 'lamplighterRenew', scripts.renew)
  const savePosts = scriptOn(redis, 'lamplighterSavePosts', scripts.savePosts)
  const leave = scriptOn(redis, 'lamplighterLeave', scripts.leave)
  const release = scriptOn(redis, 'lamplighterRelease', scripts.release)
  const setAside = scriptOn(redis, 'lamplighterSetAside', scripts.setAside)
  const move = moverOn(leases)

  /** Takes or keeps the lease and reads the stored request; null if another worker has claimed it. */
  async function take(id: string, token: string) {
    const since = clock.monotonic()
    const rootIn = proof.beginRead()
    const places = [keys.request(id), keys.lease(id), keys.presses(id), keys.wake, keys.root]
    const answer = await claim(places, [token, leaseMs, id, clock.now() + leaseMs])
    const [kind, ...fields] = answer as unknown[]
    if (kind !== 'yours') return null
    const read = () => ({ root: rootIn(String(fields[5])), state: stateIn(signer, id, fields) })
    return { until: since + leaseMs, text: String(fields[1]), read }
  }

  /** Gives the lease back. A newer process can read the request, or this one once the project is locked. */
  async function leaveForLater(id: string, token: string): Promise<void> {
    await leave([keys.lease(id), keys.request(id), keys.wake], [token, id, clock.now()])
  }

  function claimOf(id: string, token: string, claimedUntil: number, claimed: StoredState): ClaimedRequest {
    const parsed = parseOnce(commands)
    let until = claimedUntil
    let extending = false
    const renewal = setInterval(() => void extend(), leaseMs / 3)

    async function extend(): Promise<void> {
      // One at a time: a connection that sends but gets no answers must not keep the lease forever.
      if (extending) return
      extending = true
      const asked = clock.monotonic()
      const kept = await renew([keys.lease(id)], [token, leaseMs]).catch(() => 0)
      // A lease that cannot be renewed ends at its time, and no call is made that would outlive it.
      if (kept === 1) until = asked + leaseMs
      extending = false
    }

    function abandon(): void {
      clearInterval(renewal)
      until = Number.NEGATIVE_INFINITY
    }

    let moved: (() => void) | undefined
    /** Posts that have changed since the last save. */
    let unsaved: string | undefined

    /** Posts are packed only when they are final, because they are soon written again until then. */
    function postsText(posts: string): string {
      const lasts = isEnded(claim.request.status) && !posts.includes('"sending"')
      return signer.sign(['posts', id], lasts ? deflated(posts) : posts)
    }

    const claim = {
      ...claimed,
      get command() {
        return parsed.operation(claim.request.line)
      },
      get query() {
        return parsed.query(claim.request.line)
      },
      until: () => until,

      async move(next, events, options = {}) {
        const answer = await move(claim, token, next, events, options)
        if (answer.kind !== 'moved') return answer
        tellMove(leases, claim.request, next, events)
        const presses = claim.presses.slice(options.answered ?? 0)
        Object.assign(claim, { request: next, version: claim.version + 1, presses })
        moved?.()
        return answer
      },

      watch(listener) {
        moved = listener
      },

      async savePosts(posts, when) {
        const places = [keys.request(id), keys.lease(id)]
        if (when === undefined && (await orLeaseLost(savePosts(places, [token, postsText(posts)]))) !== 1)
          throw leaseLost()
        unsaved = when === 'later' ? posts : undefined
        Object.assign(claim, { posts })
      },

      async release(at) {
        const over = at === null && isEnded(claim.request.status)
        const places = [keys.request(id), keys.lease(id), keys.wake, keys.presses(id)]
        const kind = claim.request.stranger === true ? 'query' : claim.request.kind
        const last = [over ? lives[kind] : '', claim.presses.length, unsaved === undefined ? '' : postsText(unsaved)]
        const words = [token, randomUUID(), leaseMs, id, at ?? '', ...last]
        const kept = await orLeaseLost(release(places, words))
        unsaved = undefined
        if (kept !== 0) clearInterval(renewal)
        return kept !== 0
      },

      async refresh() {
        const again = await orLeaseLost(take(id, token))
        if (again === null) throw leaseLost()
        until = again.until
        const { root, state } = again.read()
        if (state.version < claim.version) throw new Tampered(say('lockdown.oldRequest', { id }))
        await trail.prove(root, state.version, state.request)
        Object.assign(claim, state)
      },

      async leave() {
        abandon()
        await leaveForLater(id, token)
      },

      abandon,
    } satisfies ClaimedRequest as ClaimedRequest
    return claim
  }

  return async (id) => {
    const token = randomUUID()
    const taken = await take(id, token)
    if (taken === null) return null
    try {
      const { root, state } = taken.read()
      const claim = () => claimOf(id, token, taken.until, state)
      if (await trail.prove(root, state.version, state.request)) return claim()
      throw new Unproven(id, claim)
    } catch (error) {
      const isLost = error instanceof Tampered && error.of === 'all'
      if (error instanceof Newer || isLost) await leaveForLater(id, token)
      // The request is set aside for inspection, so that it fails only once. It releases only a lock that names it.
      else if (error instanceof Tampered) {
        const lock = keys.lock(endpointIn(taken.text))
        await setAside(
          [keys.request(id), keys.lease(id), keys.wake, keys.aside(id), lock],
          [token, id, lives.operation],
        )
      }
      throw error
    }
  }
}
