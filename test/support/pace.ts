import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Clock } from '../../src/core/ports/services.ts'

/** How often workers look for late requests, ms. */
const sweepEvery = 5_000
/** Covers the pauses between two looks at a call, but no warning, ms. */
const soon = 20_000

/**
 * Lets a story wait for the product instead of the clock: time passes to what is due within 20 seconds as soon as no
 * worker has anything in hand. `tags` begin the keys of the projects; `pass` moves the clock, in ms.
 */
export function createPace(redis: Redis, tags: readonly string[], clock: Clock, pass: (ms: number) => Promise<void>) {
  /** Returns in how many ms the next request is due; null if none is due soon. */
  async function nextDue(): Promise<number | 'busy' | null> {
    const all = await Promise.all(
      tags.map(async (tag) => {
        const found = await redis.zrangebyscore(`${tag}:wake`, '-inf', clock.now() + soon, 'WITHSCORES')
        const leases = found.flatMap((id, at) => (at % 2 === 0 ? [`${tag}:lease:${id}`] : []))
        const isHeld = leases.length > 0 && (await redis.exists(leases)) > 0
        return isHeld ? 0 : Number(found[1] ?? Number.POSITIVE_INFINITY) - clock.now()
      }),
    )
    const ahead = Math.min(...all)
    return ahead <= 0 ? 'busy' : ahead <= soon ? ahead : null
  }

  /** Moves the clock to the first look of the workers at which a request is late. */
  async function passTo(ahead: number): Promise<void> {
    await pass(ahead + sweepEvery - ((clock.now() + ahead) % sweepEvery))
  }

  return {
    /** Whether no request is due at this time and no worker has one in hand. */
    isIdle: async () => (await nextDue()) !== 'busy',
    /** Waits until nothing is due soon. */
    calm: async (): Promise<void> => {
      for (let due = await nextDue(); due !== null; due = await nextDue()) {
        if (due !== 'busy') await passTo(due)
        await wait(12)
      }
    },
    /** Lets time pass until the promise settles, which has a timeout of its own. */
    async until<Seen>(happens: Promise<Seen>): Promise<Seen> {
      const waiting = { still: true }
      const settled = happens
        .catch(() => undefined)
        .finally(() => {
          waiting.still = false
        })
      // What a person has just done may not have arrived, so time passes only if nothing has changed between two looks.
      let before: number | null = null
      for (await Promise.race([settled, wait(40)]); waiting.still; await Promise.race([settled, wait(40)])) {
        const due = await nextDue()
        const at = typeof due === 'number' ? Math.round(clock.now() + due) : null
        if (waiting.still && typeof due === 'number' && at === before) await passTo(due)
        before = at
      }
      return happens
    },
  }
}
