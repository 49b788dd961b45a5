import { hash } from 'node:crypto'

/** Reproducible random numbers from 0 up to 1: the same seed gives the same sequence. */
export interface Dice {
  readonly next: () => number
  readonly pick: <Of>(of: readonly Of[]) => Of
}

export function diceOf(seed: number): Dice {
  let thrown = 0
  function next(): number {
    thrown += 1
    return Number.parseInt(hash('sha256', `${seed}/${thrown}`).slice(0, 8), 16) / 2 ** 32
  }
  return { next, pick: (of) => of[Math.floor(next() * of.length)]! }
}
