import { isSame, policyFile } from './actor.ts'
import type { Pursuit } from './pursuit.ts'
import type { IdleRule } from './records.ts'
import type { Hold } from './rules.ts'

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
