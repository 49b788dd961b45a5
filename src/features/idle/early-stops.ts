import type { Change, Records } from '../../core/model/records.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import type { House } from '../../core/ports/services.ts'
import { lasting } from '../../core/time/format.ts'
import { causeOf } from '../savings/stops.ts'
import type { Idler, Known } from './candidate.ts'
import { idleRuleOf, idleTimeOf, regretsOf } from './idle-rules.ts'

/** A start by people so soon after an idle stop says that the stop was wrong. ms. */
const soon = 3_600_000

/**
 * What a start tells about the idle stop before it: a longer idle time, and a sentence that says so. Null: nothing.
 * `last`: what was done before the start.
 */
export async function regretOf(
  house: House,
  request: Request,
  last: Request | null,
): Promise<{ readonly record: Change; readonly says: string } | null> {
  const { endpoint, receivedAt } = request
  if (endpoint === undefined || isAutomatic(request)) return null
  if (last === null || causeOf(last) !== 'idle' || receivedAt - (last.ending?.at ?? 0) > soon) return null
  return regretted(house, endpoint, await house.store.records(), house.clock.now())
}

/** The same of a start at the console or elsewhere, which shows only in when its replicas began. */
export async function noteRegret(house: House, { records }: Known, { endpoint, watched, now }: Idler): Promise<void> {
  const last = await house.store.lastDone(endpoint.id)
  const [stopped, started = 0] = [last?.ending?.at ?? 0, watched.newest]
  if (last === null || causeOf(last) !== 'idle' || started <= stopped || started - stopped > soon) return
  if (regretsOf(records, endpoint.id, now).includes(started)) return
  const { record, says } = regretted(house, endpoint, records, started)
  const whole = `${endpoint.name} was started again elsewhere. ${says}`
  await house.store.write(record, [{ at: now, what: 'regretted', detail: whole }])
  void house.announce(whole)
}

function regretted(
  house: House,
  endpoint: Parameters<typeof idleRuleOf>[2],
  records: Records,
  started: number,
): { readonly record: Change; readonly says: string } {
  const policy = house.policy()
  const at = [...regretsOf(records, endpoint.id, house.clock.now()), started]
  const rule = idleRuleOf(records, policy, endpoint)
  const length = rule === null ? null : idleTimeOf(rule, at.length, policy.automation.idle.most)
  const longer = length === null ? '' : ` From now on it has to be idle for ${lasting(length)}.`
  return {
    record: { put: [{ kind: 'regrets', endpoint: endpoint.id, at }] },
    says: `It was stopped for idleness within the hour: that was too early.${longer}`,
  }
}
