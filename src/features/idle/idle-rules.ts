import { isSame, policyFile } from '../../core/model/actor.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import { type IdleRule, idleKey, type Pursuit, type Records, regretsKey } from '../../core/model/records.ts'
import type { Hold, Rules } from '../../core/model/rules.ts'
import { fits } from '../../core/policy/requirement.ts'
import { desired } from '../schedules/rules/desired-state.ts'

const dayMs = 86_400_000
/** Regrets older than this are forgiven. */
const remembered = 30 * dayMs
/** Each regret makes the idle time half as long again, up to four times its length. */
const growth = 1.5
const mostGrowth = 4

/** How an endpoint is watched: by its own rule, else by the team's; null: it is not. */
export function idleRuleOf(
  records: Records,
  policy: Policy,
  endpoint: Pick<Endpoint, 'id' | 'name' | 'tags'>,
): IdleRule | null {
  const own = records.get(idleKey(endpoint.id))
  if (own?.kind === 'idle') return own.mode === 'off' ? null : own
  const team = policy.automation.teamIdle.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))
  if (team === undefined || team.after === null) return null
  const { notice } = policy.automation
  const rule = { kind: 'idle', endpoint: endpoint.id, mode: 'on', after: team.after, warn: notice } as const
  return { ...rule, owner: policyFile, at: 0 }
}

/** When people were sorry for an idle stop, as far as that still counts. ms since 1970. */
export function regretsOf(records: Records, endpoint: string, now: number): readonly number[] {
  const found = records.get(regretsKey(endpoint))
  return found?.kind === 'regrets' ? found.at.filter((at) => now - at < remembered) : []
}

/** The idle time that counts: longer with each regret, never longer than the policy allows. ms. */
export function idleTimeOf({ after }: Pick<IdleRule, 'after'>, regrets: number, most: number): number {
  return Math.max(after, Math.min(after * Math.min(growth ** regrets, mostGrowth), most))
}

/**
 * Why an endpoint is not stopped for idleness at `now` (ms), whatever it does, as the end of a sentence; or null. The
 * idle watch has a say only where nothing else has.
 */
export function sparedBy(
  rules: Rules,
  { autoscaled }: Pick<Endpoint, 'autoscaled'>,
  rule: Pick<IdleRule, 'autoscaled'>,
  now: number,
): string | null {
  if (rules.protected) return 'it is protected'
  if (autoscaled === true && rule.autoscaled !== true) return 'the platform scales it by itself'
  const { want, by } = desired(rules, now)
  if (by === 'freeze') return 'all automation is frozen'
  if (by === 'nothing' || by === 'protected') return null
  if (by.kind === 'hold') return 'it is kept as it is'
  return want === 'hands off' ? null : `its schedule wants it ${want}`
}

/** What has to be kept of an idle watch beside the readings, since nothing else would tell it later. */
export type Floor = Pick<Pursuit, 'since' | 'after'>

/**
 * From when on quiet counts at `now` (ms), whatever was read: a hold's end, which is still to come while it lasts; a
 * stop that came to nothing; the rule, which of the policy file is that from the first look at what it says. It never
 * goes back, though holds are forgotten and rules replaced: what has been told of a stretch of quiet stays told.
 */
export function floorOf(
  noted: Pick<Pursuit, 'state' | 'at' | 'since' | 'after'> | undefined,
  rule: IdleRule | null,
  holds: readonly Pick<Hold, 'until'>[],
  now: number,
): Floor {
  const after = rule !== null && isSame(rule.owner, policyFile) ? rule.after : undefined
  const bounds = [
    // Of a hold that was taken away before its end, all until now was held.
    ...(noted?.since === undefined ? [] : [Math.min(noted.since, now)]),
    ...(noted?.state === 'left' ? [noted.at] : []),
    ...holds.map(({ until }) => until),
    ...(after !== undefined && after !== noted?.after ? [now] : []),
    ...(rule !== null ? [rule.at] : []),
  ]
  return { ...(bounds.length > 0 && { since: Math.max(...bounds) }), ...(after !== undefined && { after }) }
}
