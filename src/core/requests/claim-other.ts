import type { ClaimedRequest, Clock, LeftToNewer, Log, Services, Store } from '../ports/services.ts'

/** The request is validly signed but may be an old copy: the entries that would tell are lost. */
export class Unproven extends Error {
  override readonly name = 'Unproven'
  /** Claims it anyway, to end it. */
  readonly hold: () => ClaimedRequest

  constructor(id: string, hold: () => ClaimedRequest) {
    super(`What became of the request ${id} was lost with entries of the audit.`)
    this.hold = hold
  }
}

/** Claims another request; null if it is held, or can only be ended, which its own worker does. */
export async function claimOther(store: Pick<Store, 'claim'>, id: string): Promise<ClaimedRequest | null> {
  try {
    return await store.claim(id)
  } catch (error) {
    if (error instanceof Unproven) return null
    throw error
  }
}

/** Another worker has the other request for a moment, so this one is looked at again soon. */
export async function lookAgainSoon({ clock }: Pick<Services, 'clock'>, held: ClaimedRequest): Promise<void> {
  await held.move({ ...held.request, nextAt: clock.now() + 300 }, [])
}

/** Claims another request for some work and releases it whatever happens; a worker then shows it. */
export async function withClaimed<Result>(
  services: Services,
  other: ClaimedRequest,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await act()
    const at = services.clock.now()
    // What came in meanwhile is handled after the wake-up below.
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
/** Beyond this many, the oldest are forgotten and tried again. */
const most = 1_000

export function createLeft(clock: Pick<Clock, 'monotonic'>, log: Log): LeftToNewer {
  /** Until when each is ignored, monotonic ms, oldest first. */
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
