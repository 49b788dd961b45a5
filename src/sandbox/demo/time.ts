import { renameSync, writeFileSync } from 'node:fs'

export interface MovableClock {
  readonly clock: { now(): number }
  /** The product's processes read the offset from here. */
  readonly file: string
  /** Whether time is being moved right now. */
  readonly moving: () => boolean
  /**
   * Moves time on, for everything in the sandbox and, through the file, for the product: in strides, so that whatever
   * is due on the way happens then. Resolves when it is there, was halted (with what was said then), or is moved by a
   * later call.
   */
  readonly pass: (minutes: number) => Promise<string | undefined>
  /** `why`: a sentence for whoever had it moved. */
  readonly halt: (why?: string) => void
}

/** Who goes along with time. */
export interface Company {
  /** Resolves when all have done what there was to do at the last move. */
  readonly rest: () => Promise<void>
  /** How far time may go at once, ms. It stops at whole ones of these: at 09:30, not from 09:11 to 09:41. */
  readonly stride: () => number
}

const minute = 60_000

/** A clock that can be moved forward, for waits nobody wants to sit through. */
export function movableClock(file: string, company: Company): MovableClock {
  let offset = 0
  let halted: string | undefined
  /** Which call moves time; a later one takes over from an earlier. */
  let mover: symbol | undefined
  write()

  function now(): number {
    return Date.now() + offset
  }
  /** In one piece: whoever read half of it would fall back into the present. */
  function write(): void {
    writeFileSync(`${file}.next`, String(offset))
    renameSync(`${file}.next`, file)
  }

  return {
    clock: { now },
    file,
    moving: () => mover !== undefined,
    async pass(minutes) {
      const me = Symbol('mover')
      mover = me
      halted = undefined
      let left = minutes * minute
      while (left > 0 && mover === me) {
        const stride = company.stride()
        const by = Math.min(left, stride - (now() % stride))
        offset += by
        left -= by
        write()
        await company.rest()
      }
      if (mover === me) mover = undefined
      return mover === undefined ? halted : undefined
    },
    halt(why) {
      if (mover !== undefined) halted = why
      mover = undefined
    },
  }
}
