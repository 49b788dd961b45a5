import { readFileSync, writeFileSync } from 'node:fs'
import type { Clock } from './core/ports/services.ts'
import { unlessItFails } from './core/text/unless-it-fails.ts'

/** How often the sandbox's file is read, ms. */
const every = 20

/** The clock of a process. Only the sandbox moves it, which calls the listeners of `onMove` with the distance, ms. */
export interface Time {
  readonly clock: Clock
  onMove(listener: (moved: number) => void): void
  /** Holds the sandbox's clock until `work`, begun after it moved, is done. Does nothing outside the sandbox. */
  doneHere(work: Promise<unknown>): void
  /** Multiplies how long a door waits for Redis, when many tests share a machine; otherwise 1. */
  readonly patience?: number
  stop(): void
}

/** Makes the machine's clock. `file`, which only the sandbox writes, holds an offset in ms. */
export function createTime(file: string | undefined): Time {
  const listeners: ((moved: number) => void)[] = []
  let offset = file === undefined ? 0 : offsetIn(file)
  const timer = file === undefined ? undefined : setInterval(look, every, file)
  timer?.unref()

  function look(path: string): void {
    const read = offsetIn(path)
    if (read === offset) return
    const moved = read - offset
    offset = read
    for (const listener of listeners) listener(moved)
  }

  return {
    clock: { now: () => Date.now() + offset, monotonic: () => performance.now() },
    onMove: (listener) => void listeners.push(listener),
    doneHere(work) {
      const here = offset
      if (file !== undefined)
        void work.then(
          () => writeFileSync(`${file}.done`, String(here)),
          () => undefined,
        )
    },
    stop: () => clearInterval(timer),
  }
}

function offsetIn(file: string): number {
  const offset = unlessItFails(() => Number(readFileSync(file, 'utf8')), 0)
  return Number.isSafeInteger(offset) ? offset : 0
}
