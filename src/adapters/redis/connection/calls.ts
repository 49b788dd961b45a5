import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainableCommander, Redis } from 'ioredis'
import { say, type Words } from '../../../core/model/words.ts'
import { LeaseLost, type Unstored } from '../../../core/ports/services.ts'
import { changesRoles } from './connect.ts'

type Argument = string | number

/**
 * Returns a Lua script as a function. It is sent by its hash, or whole if Redis does not know it yet. Scripts compare
 * and write texts; they never make or read JSON, which Lua would change (empty lists, large numbers). A call that a
 * server refuses because it is no longer the master was not made, so a worker repeats it on the next one.
 */
export function scriptOn(redis: Redis, name: string, lua: string) {
  redis.defineCommand(name, { lua })
  const run = Reflect.get(redis, name) as (...args: Argument[]) => Promise<unknown>
  // A door must answer at once; a worker has time to wait for the next master.
  const patience = redis.options.enableOfflineQueue === true ? 10 : 0
  return async (keys: readonly string[], args: readonly Argument[]): Promise<unknown> => {
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

/** KEYS lease. ARGV token. */
const letGo = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`

/** Releases a lease unless another process holds it by now. */
export function releaserOn(redis: Redis): (lease: string, token: string) => Promise<void> {
  const script = scriptOn(redis, 'lamplighterLetGo', letGo)
  return async (lease, token) => void (await script([lease], [token]))
}

/** Returns the replies of a transaction. Throws the error of any part, which says why it was discarded. */
export async function answersOf(transaction: ChainableCommander): Promise<readonly unknown[]> {
  const answers = await transaction.exec().catch((error: unknown) => {
    throw firstErrorIn(error)
  })
  return (answers ?? []).map(([error, answer]) => {
    if (error !== null) throw error
    return answer
  })
}

/** Redis' own words for a refused write. The error of a script has more text around them. */
const refusals: readonly (readonly [RegExp, Unstored])[] = [
  [/\bOOM\b/, 'full'],
  [/\b(READONLY|NOREPLICAS)\b/, 'readonly'],
  [/\b(LOADING|MASTERDOWN|CLUSTERDOWN|MOVED|TRYAGAIN|BUSY)\b/, 'changing'],
  [/\bMISCONF\b/, 'disk'],
  [/\b(NOAUTH|WRONGPASS|NOPERM)\b/, 'locked'],
]

/** Returns why Redis refused, or null if it did not, in which case the write may have been made. */
export function refusalOf(error: Error): Unstored | null {
  const [, known] = refusals.find(([words]) => words.test(error.message)) ?? []
  if (known !== undefined) return known
  if (/Stream isn't writeable|Cluster isn't ready|ECONNREFUSED|ENOTFOUND/.test(error.message)) return 'away'
  return error.name === 'ReplyError' ? 'refused' : null
}

/** The error of a discarded transaction names no reason, but those in it do. */
function firstErrorIn<Thrown>(error: Thrown): Thrown | Error {
  return (error as { readonly previousErrors?: readonly Error[] } | undefined)?.previousErrors?.[0] ?? error
}

/** Says why Redis refused a command. */
export function whyRefused(error: unknown): Words {
  const first = firstErrorIn(error)
  if (!(first instanceof Error)) return String(error)
  const why = refusalOf(first) ?? 'refused'
  return why === 'refused' ? first.message : [say(`storage.${why}`), `(${first.message})`]
}

/** Only errors of the connection are inspected, because ours may quote stored text. */
const connections = /^(Error|ReplyError|RedisError|AbortError|MaxRetriesPerRequestError|ClusterAllFailedError)$/

/** The connection was lost, or the reply did not come in time. */
const cuts =
  /timed out|timeout|Connection is|Connection lost|connection close|max retries|\b(ECONN\w+|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)\b|Cluster is|Cluster redirections|slots cache|startup nodes|sentinels are unreachable|Node is disconnected/

/** Whether Redis is unreachable or accepts no writes now. Any other error is a bug of ours. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error && connections.test(error.name))) return false
  const why = refusalOf(error)
  return why === null ? cuts.test(error.message) : why !== 'refused'
}

/** Throws LeaseLost if the storage refuses or doesn't answer: our lease is no longer certain. Rethrows other errors. */
export async function orLeaseLost<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw isOutage(cause) ? new LeaseLost('The storage gave no answer, or refused.', { cause }) : cause
  }
}

/** Applies `orLeaseLost` to every method, so that no outage of the storage ends a request. */
export function withLeaseLost<Asked extends object>(asked: Asked): Asked {
  const acts = Object.entries(asked).map(([name, act]: [string, unknown]) => [
    name,
    typeof act === 'function' ? (...args: unknown[]) => orLeaseLost(act(...args) as Promise<unknown>) : act,
  ])
  return Object.fromEntries(acts) as Asked
}
