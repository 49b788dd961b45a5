import { readFileSync } from 'node:fs'
import type { Clock } from './core/ports/services.ts'

/** How often a moved clock is looked at, ms. */
const every = 20

/** The clock of a process. It moves only in the sandbox; whoever has to look again then says so by `onMove`. */
export interface Time {
  readonly clock: Clock
  onMove(listener: () => void): void
  stop(): void
}

/**
 * The machine's clock; with a file, moved by the ms that stand in it. Only the sandbox writes such a file, and every
 * process that was given it follows.
 */
export function createTime(file: string | undefined): Time {
  const listeners: (() => void)[] = []
  let offset = file === undefined ? 0 : offsetIn(file)
  const timer = file === undefined ? undefined : setInterval(look, every, file)
  timer?.unref()

  function look(path: string): void {
    const found = offsetIn(path)
    if (found === offset) return
    offset = found
    for (const listener of listeners) listener()
  }

  return {
    clock: { now: () => Date.now() + offset, monotonic: () => performance.now() },
    onMove: (listener) => void listeners.push(listener),
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
