import { LeaseLost } from '../../../src/core/ports/services.ts'

/** A worker's life, counted in moments: one before and one after each write and call. */
export interface Mortal {
  /** Lets the worker live for `moments` more; nothing that it does after them happens. */
  diesAfter(moments: number): void
  /** Lets the worker sleep after `moments` while something else happens. It then continues unaware. */
  sleepsAfter(moments: number, meanwhile: () => Promise<void>): void
  /** Replaces it by a worker that lives forever. The leases of the dead worker stay. */
  replaced(): void
  /** Passes a moment. Throws if the worker is dead, so that its work stops there. */
  moment(): void
  /** Passes a moment in which the worker may sleep. */
  breath(): Promise<void>
  /** Throws if the worker is dead. */
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
