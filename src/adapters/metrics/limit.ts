import { setTimeout as wait } from 'node:timers/promises'

/** Limits how much work runs at once, and how much begins in a second, so that a round is spread out. */
export function createLimiter(atOnce: number, perSecond: number) {
  const waiting: (() => void)[] = []
  let running = 0
  let next = 0

  async function turn(): Promise<void> {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    const now = performance.now()
    next = Math.max(next, now)
    const pause = next - now
    next += 1_000 / perSecond
    if (pause >= 1) await wait(pause, undefined, { ref: false })
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
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
