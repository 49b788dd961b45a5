import { setTimeout as wait } from 'node:timers/promises'
import type { Town } from './town.ts'

/**
 * Lets time go by in steps, of six seconds unless told, each with a moment for everybody to look around, until something has
 * happened: what the promise waits for, by its own patience.
 */
export async function timePassesUntil<Seen>(town: Town, happens: Promise<Seen>, minutes = 0.1): Promise<Seen> {
  const waiting = { still: true }
  const done = happens.finally(() => {
    waiting.still = false
  })
  // Awaited below; until then a failure must not count as nobody's.
  done.catch(() => undefined)
  while (waiting.still) {
    await Promise.race([done.catch(() => undefined), wait(40)])
    if (waiting.still) await town.minutesPass(minutes)
  }
  return done
}
