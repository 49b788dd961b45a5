import { setTimeout as wait } from 'node:timers/promises'

export interface Limit {
  /** How many may be under way. */
  readonly atOnce: number
  /** How many may begin in a second, so that a whole round is spread out. */
  readonly perSecond: number
}

/** Both in ms. */
interface Time {
  now(): number
  wait(ms: number): Promise<unknown>
}

const real: Time = {
  now: () => performance.now(),
  wait: (ms) => wait(ms, undefined, { ref: false }),
}

/** Runs work when its turn comes: so many at once, and one after the other with a pause between their beginnings. */
export function probing(
  { atOnce, perSecond }: Limit,
  time: Time = real,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  let next = 0

  async function turn(): Promise<void> {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    const now = time.now()
    next = Math.max(next, now)
    const pause = next - now
    next += 1_000 / perSecond
    if (pause >= 1) await time.wait(pause)
  }

  return async (work) => {
    await turn()
    try {
      return await work()
    } finally {
      const first = waiting.shift()
      if (first === undefined) running -= 1
      else first()
    }
  }
}
