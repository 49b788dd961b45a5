import { lasting } from '../domain/duration.ts'
import { idleRuleOf, idleTimeOf, regretsOf } from '../domain/idle-rules.ts'
import type { Change } from '../domain/records.ts'
import { isAutomatic, type Request } from '../domain/request.ts'
import { operationIn } from '../operations/stored.ts'
import type { House } from './ports.ts'

/** A start by people so soon after an idle stop says that the stop was wrong. ms. */
const soon = 3_600_000

/** What a start tells about the idle stop before it: a longer idle time, and a sentence that says so. Null: nothing. */
export async function regretOf(
  house: House,
  request: Request,
): Promise<{ readonly record: Change; readonly says: string } | null> {
  const { endpoint, line, receivedAt } = request
  if (endpoint === undefined || isAutomatic(request) || operationIn(line).row.name !== 'start') return null
  const last = await house.store.lastDone(endpoint.id)
  if (last?.via !== 'idle' || receivedAt - (last.ending?.at ?? 0) > soon) return null
  const [records, policy, now] = [await house.store.records(), house.policy(), house.clock.now()]
  const at = [...regretsOf(records, endpoint.id, now), now]
  const rule = idleRuleOf(records, policy, endpoint)
  const length = rule === null ? null : idleTimeOf(rule, at.length, policy.automation.idle.most)
  const longer = length === null ? '' : ` From now on it has to be idle for ${lasting(length)}.`
  return {
    record: { put: [{ kind: 'regrets', endpoint: endpoint.id, at }] },
    says: `It was stopped for idleness within the hour: that was too early.${longer}`,
  }
}
