import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { readAs, unlessNewer, written } from '../../../core/model/formats.ts'
import { type Check, checkOf } from '../../../core/model/query-answer.ts'
import { say, saysNothing } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'
import { faultOfWriting } from './health.ts'
import type { Keys } from './keys.ts'

/** How often a heartbeat is sent, and how long it lasts, ms. */
const every = 2_000
const life = 6_000
/** People can press while a bot is alive. A shorter silence doesn't count. ms. */
const away = 15_000
/** A process that is silent for longer is dead and gets removed. ms. */
const forgotten = 60_000
/** How long a change of the policy file takes to reach every process, ms. */
const settled = 60_000

export interface Process {
  readonly role: 'bot' | 'worker' | 'api'
  /** The version of the policy file that it uses now. */
  readonly policy: () => string
  /** The clock of requests, ms since 1970. Only a bot uses it. */
  readonly now?: () => number
  /** What it leaves to newer processes, in sentences; null if nothing. */
  readonly left?: () => string | null
}

interface Seen {
  readonly role: string
  readonly policy: string
  /** When it began to use that policy, and when it was last alive, ms since 1970. */
  readonly since: number
  readonly at: number
  readonly left?: string
}

/** Reports that a process is alive, with its policy, until stopped, so that people learn if no worker is. */
export async function startHeartbeat(
  redis: Redis,
  keys: Keys,
  { role, policy, now: clock = Date.now, left = () => null }: Process,
) {
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
    // A Redis that is full refuses the writes above, as it refuses presses.
    if (role === 'bot') await takesPresses()
    if (now < looksAgain) return
    looksAgain = now + forgotten
    // A killed process does not remove itself.
    const all = Object.entries(await redis.hgetall(keys.processes))
    const dead = all.filter(([, text]) => seenIn(text).some(({ at }) => now - at > forgotten))
    if (dead.length > 0) await redis.hdel(keys.processes, ...dead.map(([other]) => other))
  }
  await once()
  const timer = setInterval(() => void once().catch(() => undefined), every)
  return () => {
    clearInterval(timer)
    return leave().catch(() => undefined)
  }

  /** A Redis that hung carries out late what was sent before, so the time is sent only after an answer. */
  async function takesPresses(): Promise<void> {
    const since = await redis.getex(keys.bots, 'PX', away)
    // A clock that was set back leaves a time ahead.
    if (since === null || Number(since) > clock()) await redis.set(keys.bots, clock(), 'PX', away)
  }

  /** The last worker removes the heartbeat. Otherwise nobody would be told for 6 s that none is left. */
  async function leave(): Promise<void> {
    const [, others] = await Promise.all([redis.hdel(keys.processes, id), living(redis, keys, Date.now())])
    if (role === 'worker' && !others.some((other) => other.role === 'worker')) await redis.del(keys.heartbeat)
  }
}

/** Makes a probe for a live worker. Null: there is one. */
export function workersProbe(redis: Redis, { heartbeat }: Keys): () => Promise<string | null> {
  return async () => ((await redis.exists(heartbeat)) === 1 ? null : asText(say('workers.none'), 'en'))
}

/** Returns the live processes whose entries this process can read. */
async function living(redis: Redis, keys: Keys, now: number): Promise<readonly Seen[]> {
  const all = Object.values(await redis.hgetall(keys.processes)).flatMap(seenIn)
  return all.filter(({ at }) => now - at < 2 * life)
}

function seenIn(text: string): readonly Seen[] {
  return unlessNewer(() => [readAs<Seen>('process', text)], [])
}

/** Checks whether a process has found data that only newer ones can read. */
export async function versionCheck(redis: Redis, keys: Keys): Promise<Check> {
  const alive = await living(redis, keys, Date.now())
  const some = alive.filter(({ left }) => left !== undefined).length
  const fault = some === 0 ? null : say('versions.left', { some, all: alive.length })
  return checkOf(say('check.versions'), fault, say('versions.well'))
}

/** Checks that a worker and a bot are running. While Redis refuses writes, they can't report that they are. */
export async function processesCheck(redis: Redis, keys: Keys): Promise<Check> {
  const roles = new Set((await living(redis, keys, Date.now())).map(({ role }) => role))
  const missing = [roles.has('worker') ? '' : say('workers.none'), roles.has('bot') ? '' : say('bots.none')]
  const isUnknown = !saysNothing(missing) && (await faultOfWriting(redis, keys)) !== null
  return checkOf(say('check.processes'), isUnknown ? say('processes.unknown') : missing, say('processes.well'))
}

/** Checks that all live processes use the same policy file, some time after a change, and that `here`, if given. */
export async function policyCheck(redis: Redis, keys: Keys, here?: string): Promise<Check> {
  const now = Date.now()
  const alive = await living(redis, keys, now)
  const name = say('check.policy')
  const versions = [...new Set(alive.map(({ policy }) => policy))].toSorted()
  if (versions.length < 2) {
    const [version = here ?? '–'] = versions
    const isOther = here !== undefined && version !== here
    const fault = isOther ? say('policyFile.notHere', { version, here }) : null
    return checkOf(name, fault, say('policyFile.same', { count: alive.length, version }))
  }
  const counts = versions.map((version) =>
    say('policyFile.count', { count: alive.filter(({ policy }) => policy === version).length, version }),
  )
  const isFresh = alive.some(({ since }) => now - since < settled)
  const differ = say('policyFile.differ', { counts: { all: counts }, fresh: isFresh ? 'yes' : 'no' })
  return { name, well: isFresh, says: differ }
}
