import { writeFile } from 'node:fs/promises'

export interface MovableClock {
  readonly clock: { now(): number }
  /** The product's processes read the offset from here. */
  readonly file: string
  /** Moves time for everything in the sandbox and, through the file, for the product. */
  pass(minutes: number): Promise<void>
}

/** A clock that can be moved forward, for waits nobody wants to sit through. */
export async function movableClock(file: string): Promise<MovableClock> {
  let offset = 0
  await writeFile(file, '0')
  return {
    clock: { now: () => Date.now() + offset },
    file,
    async pass(minutes) {
      offset += minutes * 60_000
      await writeFile(file, String(offset))
    },
  }
}
