import { readFileSync } from 'node:fs'
import type { Clock } from './lifecycle/ports.ts'

/** How often a moved clock is looked at, ms. */
const every = 200

/**
 * The machine's clock; with a file, moved by the ms that stand in it. Only the sandbox moves time: it writes the file,
 * and every process that was given it follows. `onMove` runs after each move.
 */
export function createClock(file: string | undefined, onMove: () => void): { readonly clock: Clock; stop(): void } {
  let offset = file === undefined ? 0 : offsetIn(file)
  const timer = file === undefined ? undefined : setInterval(look, every, file)
  timer?.unref()

  function look(path: string): void {
    const found = offsetIn(path)
    if (found === offset) return
    offset = found
    onMove()
  }

  return {
    clock: { now: () => Date.now() + offset, monotonic: () => performance.now() },
    stop: () => clearInterval(timer),
  }
}

function offsetIn(file: string): number {
  try {
    const offset = Number(readFileSync(file, 'utf8'))
    return Number.isSafeInteger(offset) ? offset : 0
  } catch {
    return 0
  }
}
