import { readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface MovableClock {
  readonly clock: { now(): number }
  /** The file from which the product's processes read the offset. */
  readonly file: string
  /** Whether the product has reported, in a file beside `file`, that it did everything due at the last move. */
  readonly isDone: () => boolean
  /** Whether the clock is being moved; also true while it waits on its way. */
  readonly moving: () => boolean
  /** Why the clock waits on its way; undefined if it doesn't. */
  readonly waiting: () => Pick<Wait, 'why' | 'goesOnAfter'> | undefined
  /**
   * Moves the clock for the sandbox and, through `file`, for the product: in strides, so that everything due on the way
   * happens at its time. Resolves when the clock arrives, is halted (with the reason, if any), or is moved by a later
   * call.
   */
  readonly pass: (minutes: number) => Promise<string | undefined>
  /**
   * Makes a clock that is being moved wait before its next stride until somebody resumes it. `why`: a sentence.
   * `goesOnAfter`: seconds of inactivity after which it resumes by itself; never if left out. Resolves to false if the
   * clock wasn't being moved or has stopped by itself, and to true otherwise.
   */
  readonly wait: (why: string, goesOnAfter?: number) => Promise<boolean>
  readonly goOn: () => void
  /** `why`: a sentence for the person who moved the clock. */
  readonly halt: (why?: string) => void
}

/** Decides how far the clock moves at once, and when it waits. */
export interface Company {
  /** Called when the clock begins to move; `far` means more than a day. May call `wait` at once. */
  readonly setOut: (far: boolean) => void
  /** Resolves when everything due at the last move is done, or with a sentence if nothing does it. */
  readonly rest: () => Promise<string | undefined>
  /** How far the clock may move at once, ms. It stops at multiples of this: from 09:11 at 09:30, not at 09:41. */
  readonly stride: () => number
  /** The next instant after `now` at which it also stops; both in ms since 1970. */
  readonly next: (now: number) => number
}

interface Wait {
  readonly why: string
  readonly goesOnAfter: number | undefined
  readonly over: Promise<boolean>
  readonly end: (waited: boolean) => void
}

const minute = 60_000
/** Minutes. */
const day = 24 * 60

/** Creates a clock, at first `offset` ms ahead, that can be moved past waits nobody wants to sit through. */
export function movableClock(file: string, company: Company, offset = 0): MovableClock {
  let halted: string | undefined
  let waiting: Wait | undefined
  /** The call that moves the clock; a later call takes over. */
  let mover: symbol | undefined
  write()

  function now(): number {
    return Date.now() + offset
  }
  /** Replaces the file in one step: a process that read half a number would fall back into the present. */
  function write(): void {
    writeFileSync(`${file}.next`, String(offset))
    renameSync(`${file}.next`, file)
  }
  function endWait(waited: boolean): void {
    waiting?.end(waited)
    waiting = undefined
  }
  function arrive(why: string | undefined, waited: boolean): void {
    if (mover !== undefined) halted = why
    mover = undefined
    endWait(waited)
  }

  return {
    clock: { now },
    file,
    isDone: () => offsetIn(`${file}.done`) === offset,
    moving: () => mover !== undefined,
    waiting: () => waiting,
    async pass(minutes) {
      const me = Symbol('mover')
      mover = me
      halted = undefined
      endWait(true)
      company.setOut(minutes > day)
      let left = minutes * minute
      while (left > 0 && mover === me) {
        await waiting?.over
        if (mover !== me) break
        const [from, stride] = [now(), company.stride()]
        const by = Math.min(left, stride - (from % stride), company.next(from) - from)
        offset += by
        left -= by
        write()
        const alone = await company.rest()
        if (mover === me && alone !== undefined) arrive(alone, false)
      }
      if (mover === me) arrive(undefined, false)
      return mover === undefined ? halted : undefined
    },
    wait(why, goesOnAfter) {
      if (mover === undefined) return Promise.resolve(false)
      const { over, end } = waiting ?? created()
      // A wait without a limit is never replaced by one with a limit.
      if (waiting === undefined || waiting.goesOnAfter !== undefined) waiting = { why, goesOnAfter, over, end }
      return over
    },
    goOn: () => endWait(true),
    halt: (why) => arrive(why, true),
  }
}

function created(): Pick<Wait, 'over' | 'end'> {
  let end: Wait['end'] = () => undefined
  const over = new Promise<boolean>((resolve) => {
    end = resolve
  })
  return { over, end: (waited) => end(waited) }
}

function offsetIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
