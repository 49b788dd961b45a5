import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { expect, inject } from 'vitest'
import type { Town } from './town.ts'

/**
 * Passes time in steps of six seconds by default, with a pause after each for the product to react, until the promise
 * settles. The promise has its own timeout.
 */
export async function timePassesUntil<Seen>(town: Town, happens: Promise<Seen>, minutes = 0.1): Promise<Seen> {
  const waiting = { still: true }
  const done = happens.finally(() => {
    waiting.still = false
  })
  // It is awaited below; until then a failure must not count as unhandled.
  done.catch(() => undefined)
  while (waiting.still) {
    await Promise.race([done.catch(() => undefined), reaction(town, waiting)])
    if (waiting.still) await town.minutesPass(minutes)
  }
  return done
}

/** Resolves when the product has nothing left to do at this time. After 400 ms it goes on, as what hangs may need time to pass. */
async function reaction(town: Town, waiting: { readonly still: boolean }): Promise<void> {
  const until = performance.now() + 400
  do await wait(8)
  while (waiting.still && performance.now() < until && !(await town.isIdle()))
}

/**
 * Deletes all leases, as if those of a killed process had expired, and asserts that they would expire by themselves.
 * Call it once that process is gone, before another process claims anything.
 */
export async function leasesLapse({ prefix }: Town): Promise<void> {
  const redis = new Redis(inject('redisUrl'))
  const held = await redis.keys(`{${prefix}:default}:lease:*`)
  const left = await Promise.all(held.map((key) => redis.pttl(key)))
  expect(left.filter((ms) => ms === -1 || ms > 30_000)).toEqual([])
  if (held.length > 0) await redis.del(held)
  redis.disconnect()
}

/** Ends a turn that a killed process may hold, which would otherwise take a minute or two of real time. */
export async function turnLapses({ prefix }: Town, turn: 'rules' | 'watch'): Promise<void> {
  const redis = new Redis(inject('redisUrl'))
  await redis.del(`{${prefix}:default}:pursuits:turn:${turn}`)
  redis.disconnect()
}
