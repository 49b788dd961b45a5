import type { ClaimedRequest, Services, Store } from '../ports/services.ts'

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
