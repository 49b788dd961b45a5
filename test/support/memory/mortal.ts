import { LeaseLost } from '../../../src/lifecycle/ports.ts'

/** A worker's life, counted in moments: one before and one after everything it writes or calls. */
export interface Mortal {
  /** From now on it lives for so many moments; what it does after those never happens. */
  diesAfter(moments: number): void
  /** Another worker in its place, which lives for ever. Whatever the dead one held stays held. */
  replaced(): void
  /** A moment passes. Throws once it is dead, since nothing more comes of what it was doing. */
  moment(): void
  /** Throws when it is dead. */
  alive(): void
}

export function createMortal(): Mortal {
  let left = Number.POSITIVE_INFINITY
  function alive(): void {
    if (left <= 0) throw new LeaseLost('This worker is dead.')
  }
  return {
    diesAfter: (moments) => {
      left = moments
    },
    replaced: () => {
      left = Number.POSITIVE_INFINITY
    },
    moment() {
      alive()
      left -= 1
      alive()
    },
    alive,
  }
}
