import { isEnded, type Request } from '../model/request.ts'
import type { ClaimedRequest, Clock, LeftToNewer, Log, Services, Store } from '../ports/services.ts'

/** The request has a valid signature but may be an old copy: the audit entries that would show this are lost. */
export class Unproven extends Error {
  override readonly name = 'Unproven'
  /** Claims the request anyway, so that it can be ended. */
  readonly claim: () => ClaimedRequest

  constructor(id: string, claim: () => ClaimedRequest) {
    super(`What became of the request ${id} was lost with entries of the audit.`)
    this.claim = claim
  }
}

/** Returns the open request that has an endpoint's lock. */
export async function holderOn(store: Pick<Store, 'holderOf' | 'load'>, endpoint: string): Promise<Request | null> {
  const holder = await store.holderOf(endpoint)
  const found = holder === null ? null : await store.load(holder)
  return found === null || isEnded(found.status) ? null : found
}

/** Schedules another look in 300 ms, because another worker has claimed the other request. */
export async function lookAgainSoon({ clock }: Pick<Services, 'clock'>, claim: ClaimedRequest): Promise<void> {
  await claim.move({ ...claim.request, nextAt: clock.now() + 300 }, [])
}

/**
 * Runs `act` on another request, then releases that request and wakes a worker to show it. Null if another worker has
 * claimed it, or if it is `Unproven`, which its own worker ends.
 */
export async function actOn<Result>(
  services: Services,
  id: string,
  act: (other: ClaimedRequest) => Promise<Result>,
): Promise<Result | null> {
  const other = await services.store.claim(id).catch((error: unknown) => {
    if (error instanceof Unproven) return null
    throw error
  })
  if (other === null) return null
  try {
    const result = await act(other)
    const at = services.clock.now()
    // A false result means that news came in meanwhile; the wake-up below handles it.
    while (!(await other.release(at)));
    await services.queue.wake(other.request, `way-${other.version}-${at}`).catch(() => undefined)
    return result
  } catch (error) {
    other.abandon()
    throw error
  }
}

/** How long this process ignores a request it could not read, ms. A newer process takes it within seconds. */
const rest = 60_000
/** Beyond this limit, the oldest entries are dropped and their requests are tried again. */
const most = 1_000

export function createLeftToNewer(clock: Pick<Clock, 'monotonic'>, log: Log): LeftToNewer {
  /** When to try each request again, monotonic ms, oldest first. */
  const until = new Map<string, number>()
  const counts = new Map<string, number>()
  return {
    note(id, { message }) {
      until.delete(id)
      until.set(id, clock.monotonic() + rest)
      for (const old of until.keys()) {
        if (until.size <= most) break
        until.delete(old)
      }
      const count = counts.get(message) ?? 0
      if (count < most) counts.set(message, count + 1)
      if (count === 0)
        log.warn({ request: id, why: message }, 'left data of a newer version to a worker of that version')
    },
    resting() {
      const now = clock.monotonic()
      for (const [id, at] of until) if (at <= now) until.delete(id)
      return [...until.keys()]
    },
    says() {
      const all = [...counts].map(([why, count]) => `${why} (${count}×)`)
      return all.length === 0 ? null : all.join(' ')
    },
  }
}
