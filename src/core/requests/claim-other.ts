import type { Held, House, Store } from '../ports/services.ts'

/** A request that is well signed, but may be an old one: what became of it was lost with entries of the audit. */
export class Unproven extends Error {
  override readonly name = 'Unproven'
  /** Takes it up all the same, to end it. */
  readonly hold: () => Held

  constructor(id: string, hold: () => Held) {
    super(`What became of the request ${id} was lost with entries of the audit.`)
    this.hold = hold
  }
}

/** For whoever does something with another request. One that can only be ended is soon ended by its own worker. */
export async function claimOther(store: Pick<Store, 'claim'>, id: string): Promise<Held | null> {
  try {
    return await store.claim(id)
  } catch (error) {
    if (error instanceof Unproven) return null
    throw error
  }
}

/** Does something with another request that is held for this only, and puts it down again whatever happens. */
export async function holding<Result>(house: House, other: Held, act: () => Promise<Result>): Promise<Result> {
  try {
    const result = await act()
    await letGo(house, other)
    return result
  } catch (error) {
    other.abandon()
    throw error
  }
}

/** Puts it down, to be shown by whoever is rung up for it. */
async function letGo(house: House, other: Held): Promise<void> {
  const at = house.clock.now()
  // Whoever came for it while we held it is served by the wake-up below.
  while (!(await other.release(at)));
  await house.queue.wake(other.request, `way-${other.version}-${at}`).catch(() => undefined)
}
