import { readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface MovableClock {
  readonly clock: { now(): number }
  /** The product's processes read the offset from here. */
  readonly file: string
  /** Whether the product has said, in a file beside that one, that it has done what there was to do at the last move. */
  readonly isDone: () => boolean
  /** Whether time is being moved right now; also while it waits on its way. */
  readonly moving: () => boolean
  /** What it waits for on its way; undefined while it does not. */
  readonly waiting: () => Pick<Wait, 'why' | 'goesOnAfter'> | undefined
  /**
   * Moves time on, for everything in the sandbox and, through the file, for the product: in strides, so that whatever
   * is due on the way happens then. Resolves when it is there, was halted (with what was said then), or is moved by a
   * later call.
   */
  readonly pass: (minutes: number) => Promise<string | undefined>
  /**
   * Lets time, if it is being moved, wait before its next stride until somebody lets it go on. `why`: a sentence.
   * `goesOnAfter`: s after which nobody's doing anything does so, too; left out: it does not. True: it waited for
   * somebody; false: it was not moved, or is where it was to go.
   */
  readonly wait: (why: string, goesOnAfter?: number) => Promise<boolean>
  readonly goOn: () => void
  /** `why`: a sentence for whoever had it moved. */
  readonly halt: (why?: string) => void
}

/** Who goes along with time. */
export interface Company {
  /** Called when time begins to move: `far` for more than a day. It may be let wait at once. */
  readonly setOut: (far: boolean) => void
  /** Resolves when all have done what there was to do at the last move; with why, as a sentence, when nobody did. */
  readonly rest: () => Promise<string | undefined>
  /** How far time may go at once, ms. It stops at whole ones of these: at 09:30, not from 09:11 to 09:41. */
  readonly stride: () => number
  /** The next instant after `now` at which it stops as well; both ms since 1970. */
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

/** A clock, `offset` ms ahead at first, that can be moved forward, for waits nobody wants to sit through. */
export function movableClock(file: string, company: Company, offset = 0): MovableClock {
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
      // Of several reasons the one counts that waits the longest.
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
