import { randomUUID } from 'node:crypto'
import type { Head } from '../../../core/ports/audit.ts'
import type { Groups } from '../../../core/ports/request-store.ts'
import { LeaseLost, type Store } from '../../../core/ports/services.ts'
import { createAudit } from '../audit/log.ts'
import { orLeaseLost, releaserOn, scriptOn, withLeaseLost } from '../connection/calls.ts'
import type { SignedPlace } from '../integrity/chain.ts'
import { type StoreContext, storeContextOn } from '../integrity/proof.ts'
import { claiming } from './claim.ts'
import { createIntake, type IntakeOptions } from './intake.ts'
import { createReadings, createRulings } from './readings.ts'
import { createNames, createPrices, createRemembered } from './remembered.ts'
import * as scripts from './scripts.ts'
import { createFiles, createPast, loadAll, loadRequest, openRequests } from './state.ts'

export interface StoreOptions extends IntakeOptions, SignedPlace {
  readonly leaseMs: number
  readonly policy?: StoreContext['policy']
  /** Heads of the audit that were noted outside Redis. */
  readonly noted?: () => Promise<readonly Head[]>
}

/** Returns the ms of a lease, which outlives one call to the platform by ten seconds. */
export function leaseMsFor(platformTimeoutMs: number): number {
  return platformTimeoutMs + 10_000
}

/** KEYS wake. ARGV until, most, now, put off until, then ids that are not for this caller. Gives what is due to one only. */
const putOff = `
local now, later = tonumber(ARGV[3]), tonumber(ARGV[4])
local left = {}
for at = 5, #ARGV do left[ARGV[at]] = true end
local ids = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2] + #ARGV - 4)) do
  if not left[id] and #ids < tonumber(ARGV[2]) then
    local at = tonumber(redis.call('ZSCORE', KEYS[1], id))
    -- In between, it is the end of a lease, which may not come later.
    if at <= now or later < at then redis.call('ZADD', KEYS[1], later, id) end
    ids[#ids + 1] = id
  end
end
return ids
`

export function createStore(options: StoreOptions): Store {
  const { redis, keys, project, signer, clock, leaseMs, policy, noted } = options
  const due = scriptOn(redis, 'lamplighterDue', putOff)
  const context = storeContextOn({ redis, keys, signer }, clock, policy)

  return withLeaseLost({
    ...createNames(context),
    ...createPrices(context),
    ...createFiles(context),
    ...createPast(context),
    ...createRemembered(context),
    ...createAudit(context, project, noted),
    ...createRulings(context),
    ...createReadings(context),
    ...createIntake(context, options),
    ...createGroups(context),
    claim: claiming({ ...options, ...context }),
    load: (id) => loadRequest(context, id),
    open: openRequests(context),
    proposals: async () => Number((await redis.get(keys.proposals)) ?? 0),
    async due(until, most, except = []) {
      const now = clock.now()
      return (await due([keys.wake], [until, most, now, now + leaseMs, ...except])) as string[]
    },
  } satisfies Store)
}

/** Nobody reads more lines in one message. */
const mostTogether = 20
/** Longer than any request of a rule stays open. ms. */
const life = 2 * 24 * 3_600_000
/** Longer than any wait for Slack. ms. */
const leaseMs = 30_000

/** Membership in a group is not signed, because it decides only which message shows a request. */
function createGroups(context: StoreContext): Groups {
  const { redis, keys, signer } = context
  const savePosts = scriptOn(redis, 'lamplighterSavePosts', scripts.savePosts)
  const release = releaserOn(redis)

  async function requestsOf(group: string) {
    const [name = '', part] = group.split('#')
    const ids = Object.entries(await redis.hgetall(keys.group(name))).flatMap(([id, at]) => (at === part ? [id] : []))
    return (await loadAll(context, ids))
      .filter((one) => one.group === group)
      .toSorted((a, b) => a.receivedAt - b.receivedAt || a.id.localeCompare(b.id, 'en'))
  }

  return {
    async joinGroup(name, id) {
      const [base = '', part] = name.split('#')
      const key = keys.group(base)
      await redis.hsetnx(key, id, part ?? Math.floor((await redis.hlen(key)) / mostTogether))
      await redis.pexpire(key, life)
      return `${base}#${await redis.hget(key, id)}`
    },
    async claimGroup(group, owner) {
      const name = owner === undefined ? group : `${group}/${owner}`
      const [card, lease, token] = [keys.group(`${name}:card`), keys.lease(`group:${name}`), randomUUID()]
      if ((await redis.set(lease, token, 'PX', leaseMs, 'NX')) !== 'OK') return null
      const stored = await redis.hget(card, 'posts')
      return {
        requests: (await requestsOf(group)).filter(({ actor }) => owner === undefined || actor.user === owner),
        posts: stored === null ? null : signer.read(['posts', name], stored),
        async savePosts(posts) {
          const saved = await orLeaseLost(savePosts([card, lease], [token, signer.sign(['posts', name], posts)]))
          if (saved !== 1) throw new LeaseLost('Somebody else shows this group now.')
          await redis.pexpire(card, life)
        },
        release: () => release(lease, token),
      }
    },
  }
}
