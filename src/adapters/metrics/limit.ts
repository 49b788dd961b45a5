import { setTimeout as wait } from 'node:timers/promises'

export interface Limit {
  /** The most that run at a time. */
  readonly atOnce: number
  /** The most that begin in a second, so that a round is spread out. */
  readonly perSecond: number
}

/** ms. */
interface Time {
  now(): number
  wait(ms: number): Promise<unknown>
}

const real: Time = {
  now: () => performance.now(),
  wait: (ms) => wait(ms, undefined, { ref: false }),
}

/** Limits how much work runs at once and how much begins in a second. */
export function createLimiter(
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
      const begin = waiting.shift()
      if (begin === undefined) running -= 1
      else begin()
    }
  }
}
