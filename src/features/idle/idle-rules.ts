import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import { type IdleRule, type ReconcileState, type Records, recordOn } from '../../core/model/records.ts'
import { isSame, policyFile } from '../../core/model/roles.ts'
import type { Hold, Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { fits } from '../../core/policy/requirement.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { desired } from '../schedules/rules/desired-state.ts'

/** Regrets count for so long, ms. */
const remembered = 30 * dayMs
/** Each regret multiplies the idle time by 1.5, up to 4 times in all. */
const growth = 1.5
const mostGrowth = 4

export type Watchable = Pick<Endpoint, 'id' | 'name' | 'tags'>

/** An endpoint's own idle rule, else the team's; null if it is not watched. */
export function idleRuleOf(records: Records, policy: Policy, endpoint: Watchable): IdleRule | null {
  const own = recordOn(records, 'idle', endpoint.id)
  if (own !== undefined) return own.mode === 'off' ? null : own
  const team = policy.automation.teamIdle.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))
  if (team === undefined || team.after === null) return null
  const { notice } = policy.automation
  const rule = { kind: 'idle', endpoint: endpoint.id, mode: 'on', after: team.after, warn: notice } as const
  return { ...rule, owner: policyFile, at: 0 }
}

/** The instants (ms) of early restarts that still count. */
export function earlyRestartsOf(records: Records, endpoint: string, now: number): readonly number[] {
  return recordOn(records, 'regrets', endpoint)?.at.filter((at) => now - at < remembered) ?? []
}

/** The idle time (ms), longer with each regret, up to what the policy allows. */
export function idleTimeOf({ after }: Pick<IdleRule, 'after'>, earlyRestarts: number, most: number): number {
  return Math.max(after, Math.min(after * Math.min(growth ** earlyRestarts, mostGrowth), most))
}

/** Why an endpoint is not stopped for idleness at `now` (ms), as the end of a sentence; or null. */
export function whySpared(rules: Rules, { autoscaled }: Endpoint, rule: IdleRule, now: number): Words | null {
  if (rules.protected) return say('spared.protected')
  if (autoscaled === true && rule.autoscaled !== true) return say('spared.autoscaled')
  const { want, by } = desired(rules, now)
  if (by === 'freeze') return say('spared.frozen')
  if (by === 'nothing' || by === 'protected') return null
  if (by.kind === 'hold') return say('spared.kept')
  return want === 'hands off' ? null : say('spared.schedule', { want })
}

/**
 * `since`: from when on quiet counts at `now` (ms): the end of a hold, a stop that was not made, or the making of the
 * rule. A policy rule counts as made at the first look that sees its idle time, which is `after`. `since` never goes
 * back, so a time of quiet keeps its id.
 */
export function floorOf(
  noted: Pick<ReconcileState, 'state' | 'at' | 'since' | 'after'> | undefined,
  rule: IdleRule | null,
  holds: readonly Pick<Hold, 'until'>[],
  now: number,
): Pick<ReconcileState, 'since' | 'after'> {
  const after = rule !== null && isSame(rule.owner, policyFile) ? rule.after : undefined
  const bounds = [
    // A hold that was ended early counts until now.
    ...(noted?.since === undefined ? [] : [Math.min(noted.since, now)]),
    ...(noted?.state === 'left' ? [noted.at] : []),
    ...holds.map(({ until }) => until),
    ...(after !== undefined && after !== noted?.after ? [now] : []),
    ...(rule !== null ? [rule.at] : []),
  ]
  return { ...(bounds.length > 0 && { since: Math.max(...bounds) }), ...(after !== undefined && { after }) }
}
