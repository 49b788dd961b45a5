import { createHash } from 'node:crypto'

/** Chance that can be had again: the same seed throws the same numbers, from 0 up to 1. */
export interface Dice {
  readonly next: () => number
  readonly pick: <Of>(of: readonly Of[]) => Of
}

export function diceOf(seed: number): Dice {
  let thrown = 0
  function next(): number {
    thrown += 1
    const digest = createHash('sha256').update(`${seed}/${thrown}`).digest()
    return digest.readUInt32BE() / 2 ** 32
  }
  return { next, pick: (of) => of[Math.floor(next() * of.length)]! }
}
