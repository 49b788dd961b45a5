import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Check } from '../domain/explained.ts'
import { Newer, readAs, written } from '../domain/formats.ts'
import type { Keys } from './keys.ts'

/** ms. */
const every = 2_000
const life = 6_000
/** Whoever has said nothing for so long is dead, and is forgotten. ms. */
const forgotten = 60_000
/** A change of the policy file has reached every process by then. ms. */
const settled = 60_000

/** A process, as others see it. */
export interface Process {
  readonly role: 'bot' | 'worker'
  /** Version of the policy file it goes by at this moment. */
  readonly policy: () => string
  /** What it leaves to newer processes, in sentences; null: nothing. */
  readonly left?: () => string | null
}

interface Seen {
  readonly role: string
  readonly policy: string
  /** ms since 1970: since when it goes by that policy, and when it was last alive. */
  readonly since: number
  readonly at: number
  readonly left?: string
}

/**
 * Says that a process lives, until stopped. The doors read whether a worker does, so that "taken" never hides that
 * nobody works; doctor reads what policy each goes by.
 */
export async function beat(
  redis: Redis,
  keys: Keys,
  { role, policy, left = () => null }: Process,
): Promise<() => void> {
  const id = randomUUID()
  let known = { policy: policy(), since: Date.now() }
  let looksAgain = 0
  async function once(): Promise<void> {
    const now = Date.now()
    if (policy() !== known.policy) known = { policy: policy(), since: now }
    const leaves = left()
    const seen: Seen = { role, ...known, at: now, ...(leaves !== null && { left: leaves }) }
    await Promise.all([
      role === 'worker' && redis.set(keys.heartbeat, 1, 'PX', life),
      redis.hset(keys.processes, id, written('process', seen)),
      redis.pexpire(keys.processes, 600_000),
    ])
    if (now < looksAgain) return
    looksAgain = now + forgotten
    await forgetDead(redis, keys, now)
  }
  await once()
  const timer = setInterval(() => void once().catch(() => undefined), every)
  return () => {
    clearInterval(timer)
    redis.hdel(keys.processes, id).catch(() => undefined)
  }
}

/** A killed process takes nothing back. */
async function forgetDead(redis: Redis, keys: Keys, now: number): Promise<void> {
  const all = Object.entries(await redis.hgetall(keys.processes))
  const dead = all.filter(([, text]) => seenIn(text).some(({ at }) => now - at > forgotten))
  if (dead.length > 0) await redis.hdel(keys.processes, ...dead.map(([id]) => id))
}

/** Those that live, as far as this process can read what they say. */
async function living(redis: Redis, keys: Keys, now: number): Promise<readonly Seen[]> {
  const all = Object.values(await redis.hgetall(keys.processes)).flatMap(seenIn)
  return all.filter(({ at }) => now - at < 2 * life)
}

function seenIn(text: string): readonly Seen[] {
  try {
    return [readAs('process', text)]
  } catch (error) {
    if (error instanceof Newer) return []
    throw error
  }
}

/** Whether some process meets what only newer ones can read. */
export async function versionCheck(redis: Redis, keys: Keys): Promise<Check> {
  const alive = await living(redis, keys, Date.now())
  const lefts = alive.flatMap(({ left }) => left ?? [])
  const well = lefts.length === 0
  const says = well
    ? 'Every process can read what is stored.'
    : `${lefts.length} of ${alive.length} processes leave something to a newer version: ${[...new Set(lefts)].join(' ')} Run the newest version everywhere.`
  return { name: 'Versions', well, says }
}

/** Whether all processes that live go by the same policy file, some time after it was changed. */
export async function policyCheck(redis: Redis, keys: Keys): Promise<Check> {
  const now = Date.now()
  const alive = await living(redis, keys, now)
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
