import type { Endpoint } from '../model/endpoint.ts'
import type { Policy } from '../model/policy.ts'
import { type IdleRule, type Records, recordOn } from '../model/records.ts'
import { policyFile } from '../model/roles.ts'
import { fits } from './requirement.ts'

export type Watchable = Pick<Endpoint, 'id' | 'name' | 'tags'>

/** Returns an endpoint's own idle rule, otherwise the team's; null if there is none or it is off. */
export function idleRuleOf(
  records: Records,
  { automation }: Pick<Policy, 'automation'>,
  endpoint: Watchable,
): IdleRule | null {
  const own = recordOn(records, 'idle', endpoint.id)
  if (own !== undefined) return own.mode === 'off' ? null : own
  const team = automation.teamIdle.find(({ match }) => match.some((pattern) => fits(pattern, endpoint)))
  if (team === undefined || team.after === null) return null
  const { notice } = automation
  const rule = { kind: 'idle', endpoint: endpoint.id, mode: 'on', after: team.after, warn: notice } as const
  return { ...rule, owner: policyFile, at: 0 }
}
