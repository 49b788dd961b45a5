import { renameSync, writeFileSync } from 'node:fs'

export interface MovableClock {
  readonly clock: { now(): number }
  /** The product's processes read the offset from here. */
  readonly file: string
  /** Whether time is being moved right now; also while it waits on its way. */
  readonly moving: () => boolean
  /** Why it waits on its way, as a sentence; undefined while it does not. */
  readonly waiting: () => string | undefined
  /**
   * Moves time on, for everything in the sandbox and, through the file, for the product: in strides, so that whatever
   * is due on the way happens then. Resolves when it is there, was halted (with what was said then), or is moved by a
   * later call.
   */
  readonly pass: (minutes: number) => Promise<string | undefined>
  /** Lets time, if it is being moved, wait before its next stride until somebody lets it go on. `why`: a sentence. */
  readonly wait: (why: string) => void
  readonly goOn: () => void
  /** `why`: a sentence for whoever had it moved. */
  readonly halt: (why?: string) => void
}

/** Who goes along with time. */
export interface Company {
  /** Resolves when all have done what there was to do at the last move; with why, as a sentence, when nobody did. */
  readonly rest: () => Promise<string | undefined>
  /** How far time may go at once, ms. It stops at whole ones of these: at 09:30, not from 09:11 to 09:41. */
  readonly stride: () => number
}

interface Wait {
  readonly why: string
  readonly over: Promise<void>
  readonly end: () => void
}

const minute = 60_000

/** A clock that can be moved forward, for waits nobody wants to sit through. */
export function movableClock(file: string, company: Company): MovableClock {
  let offset = 0
  let halted: string | undefined
  let waiting: Wait | undefined
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
  function goOn(): void {
    waiting?.end()
    waiting = undefined
  }
  function halt(why?: string): void {
    if (mover !== undefined) halted = why
    mover = undefined
    goOn()
  }

  return {
    clock: { now },
    file,
    moving: () => mover !== undefined,
    waiting: () => waiting?.why,
    async pass(minutes) {
      const me = Symbol('mover')
      mover = me
      halted = undefined
      goOn()
      let left = minutes * minute
      while (left > 0 && mover === me) {
        const stride = company.stride()
        const by = Math.min(left, stride - (now() % stride))
        offset += by
        left -= by
        write()
        const alone = await company.rest()
        if (mover !== me) break
        if (alone !== undefined) halt(alone)
        if (left > 0) await waiting?.over
      }
      if (mover === me) halt()
      return mover === undefined ? halted : undefined
    },
    wait(why) {
      if (mover === undefined) return
      waiting = { ...(waiting ?? created()), why }
    },
    goOn,
    halt,
  }
}

function created(): Omit<Wait, 'why'> {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { over, end: () => end() }
}
