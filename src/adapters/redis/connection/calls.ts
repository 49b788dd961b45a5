import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainableCommander, Redis } from 'ioredis'
import { changesRoles } from './connect.ts'

type Argument = string | number
export type Script = (keys: readonly string[], args: readonly Argument[]) => Promise<unknown>

/**
 * A Lua script as a function; sent by its hash, and whole where Redis does not know it yet. Scripts compare and write
 * texts; they never make or read JSON, which Lua would change (empty lists, large numbers).
 * What a server refused because it is no longer the master was not done: a worker sends it again to the next one.
 */
export function scriptOn(redis: Redis, name: string, lua: string): Script {
  redis.defineCommand(name, { lua })
  const run = Reflect.get(redis, name) as (...args: Argument[]) => Promise<unknown>
  // Doors have to answer at once; workers have the time to go on where the next master is.
  const patience = redis.options.enableOfflineQueue === true ? 10 : 0
  return async (keys, args) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await run.call(redis, keys.length, ...keys, ...args)
      } catch (error) {
        if (tries >= patience || !(error instanceof Error && changesRoles.test(error.message))) throw error
        await sleep(100 * tries, undefined, { ref: false })
      }
    }
  }
}

/** What a transaction answered. Throws what went wrong with any part of it. */
export async function answersOf(transaction: ChainableCommander): Promise<readonly unknown[]> {
  return ((await transaction.exec()) ?? []).map(([error, answer]) => {
    if (error !== null) throw error
    return answer
  })
}
