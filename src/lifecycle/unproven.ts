import type { Held, Store } from './ports.ts'

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
