import type { ClaimedRequest, Clock, LeftToNewer, Log, Services, Store } from '../ports/services.ts'

/** A request that is well signed, but may be an old one: what became of it was lost with entries of the audit. */
export class Unproven extends Error {
  override readonly name = 'Unproven'
  /** Claims it all the same, to end it. */
  readonly hold: () => ClaimedRequest

  constructor(id: string, hold: () => ClaimedRequest) {
    super(`What became of the request ${id} was lost with entries of the audit.`)
    this.hold = hold
  }
}

/** For whoever does something with another request. One that can only be ended is soon ended by its own worker. */
export async function claimOther(store: Pick<Store, 'claim'>, id: string): Promise<ClaimedRequest | null> {
  try {
    return await store.claim(id)
  } catch (error) {
    if (error instanceof Unproven) return null
    throw error
  }
}

/** For when another worker has claimed the other request: it will be released at once, so this one waits a moment. */
export async function lookAgainSoon({ clock }: Pick<Services, 'clock'>, held: ClaimedRequest): Promise<void> {
  await held.move({ ...held.request, nextAt: clock.now() + 300 }, [])
}

/** Does something with another request that is held for this only, and gives it up again whatever happens; a worker then shows it. */
export async function withClaimed<Result>(
  services: Services,
  other: ClaimedRequest,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await act()
    const at = services.clock.now()
    // Whoever came for it while we held it is served by the wake-up below.
    while (!(await other.release(at)));
    await services.queue.wake(other.request, `way-${other.version}-${at}`).catch(() => undefined)
    return result
  } catch (error) {
    other.abandon()
    throw error
  }
}

/** How long this process lets rest what it could not read, ms. A newer one takes it up within seconds. */
const rest = 60_000
/** Beyond so many the ones that were left first are looked at again. */
const most = 1_000

export function createLeft(clock: Pick<Clock, 'monotonic'>, log: Log): LeftToNewer {
  /** Until when each rests, monotonic ms, the first that was left first. */
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
