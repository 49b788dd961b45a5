import type { Redis } from 'ioredis'

type Argument = string | number
export type Script = (keys: readonly string[], args: readonly Argument[]) => Promise<unknown>

/**
 * A Lua script as a function; sent by its hash, and whole where Redis does not know it yet. Scripts compare and write
 * texts; they never make or read JSON, which Lua would change (empty lists, large numbers).
 */
export function scriptOn(redis: Redis, name: string, lua: string): Script {
  redis.defineCommand(name, { lua })
  const run = Reflect.get(redis, name) as (...args: Argument[]) => Promise<unknown>
  return (keys, args) => run.call(redis, keys.length, ...keys, ...args)
}
