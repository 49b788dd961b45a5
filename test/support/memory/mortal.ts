import { LeaseLost } from '../../../src/core/ports/services.ts'

/** A worker's life, counted in moments: one before and one after everything it writes or calls. */
export interface Mortal {
  /** From now on it lives for so many moments; what it does after those never happens. */
  diesAfter(moments: number): void
  /** After so many moments it sleeps while something else happens, and goes on without knowing. */
  sleepsAfter(moments: number, meanwhile: () => Promise<void>): void
  /** Another worker in its place, which lives for ever. Whatever the dead one held stays held. */
  replaced(): void
  /** A moment passes. Throws once it is dead, since nothing more comes of what it was doing. */
  moment(): void
  /** A moment in which it may fall asleep. */
  breath(): Promise<void>
  /** Throws when it is dead. */
  alive(): void
}

export function createMortal(): Mortal {
  let left = Number.POSITIVE_INFINITY
  let awake = Number.POSITIVE_INFINITY
  let dream: (() => Promise<void>) | null = null
  function alive(): void {
    if (left <= 0) throw new LeaseLost('This worker is dead.')
  }
  function moment(): void {
    alive()
    left -= 1
    alive()
  }
  return {
    diesAfter: (moments) => {
      left = moments
    },
    sleepsAfter(moments, meanwhile) {
      awake = moments
      dream = meanwhile
    },
    replaced() {
      left = Number.POSITIVE_INFINITY
      awake = Number.POSITIVE_INFINITY
    },
    moment,
    async breath() {
      moment()
      awake -= 1
      if (awake !== 0 || dream === null) return
      await dream()
      alive()
    },
    alive,
  }
}
