import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Check } from '../domain/explained.ts'
import type { Keys } from './keys.ts'

/** ms. */
const every = 2_000
const life = 6_000
/** A change of the policy file has reached every process by then. ms. */
const settled = 60_000

/** A process, as others see it. */
export interface Process {
  readonly role: 'bot' | 'worker'
  /** Version of the policy file it goes by at this moment. */
  readonly policy: () => string
}

interface Seen {
  readonly role: string
  readonly policy: string
  /** ms since 1970: since when it goes by that policy, and when it was last alive. */
  readonly since: number
  readonly at: number
}

/**
 * Says that a process lives, until stopped. The doors read whether a worker does, so that "taken" never hides that
 * nobody works; doctor reads what policy each goes by.
 */
export async function beat(redis: Redis, keys: Keys, { role, policy }: Process): Promise<() => void> {
  const id = randomUUID()
  let known = { policy: policy(), since: Date.now() }
  async function once(): Promise<void> {
    const now = Date.now()
    if (policy() !== known.policy) known = { policy: policy(), since: now }
    const seen: Seen = { role, ...known, at: now }
    await Promise.all([
      role === 'worker' && redis.set(keys.heartbeat, 1, 'PX', life),
      redis.hset(keys.processes, id, JSON.stringify(seen)),
      redis.pexpire(keys.processes, 600_000),
    ])
  }
  await once()
  const timer = setInterval(() => void once().catch(() => undefined), every)
  return () => {
    clearInterval(timer)
    redis.hdel(keys.processes, id).catch(() => undefined)
  }
}

/** Whether all processes that live go by the same policy file, some time after it was changed. */
export async function policyCheck(redis: Redis, keys: Keys): Promise<Check> {
  const now = Date.now()
  const all = Object.values(await redis.hgetall(keys.processes)).map((text) => JSON.parse(text) as Seen)
  const alive = all.filter(({ at }) => now - at < 2 * life)
  const versions = [...new Set(alive.map(({ policy }) => policy))].toSorted()
  const fresh = alive.some(({ since }) => now - since < settled)
  const well = versions.length < 2 || fresh
  const counts = versions.map((one) => `${alive.filter(({ policy }) => policy === one).length} by ${one}`)
  const says =
    versions.length < 2
      ? `All ${alive.length} processes go by version ${versions[0] ?? 'none'}.`
      : `Processes go by different files: ${counts.join(', ')}.${well ? ' One has just changed.' : ' Give all of them the same file.'}`
  return { name: 'Policy file', well, says }
}
