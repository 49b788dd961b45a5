import type { Change, Records } from '../../core/model/records.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Services } from '../../core/ports/services.ts'
import { causeOf } from '../savings/stops.ts'
import type { IdleCandidate } from './candidate.ts'
import { earlyRestartsOf, idleRuleOf, idleTimeOf, type Watchable } from './idle-rules.ts'

/** A person's start so soon after an idle stop shows that the stop was wrong, ms. */
const soon = 3_600_000

/** The regret that a person's start shows; null if it shows none. `last`: the request before the start. */
export async function regretOf(services: Services, request: Request, last: Request): Promise<Regret | null> {
  const { endpoint, receivedAt } = request
  if (endpoint === undefined || isAutomatic(request)) return null
  if (causeOf(last) !== 'idle' || receivedAt - (last.ending?.at ?? 0) > soon) return null
  return regretFor(services, endpoint, await services.store.records(), services.clock.now())
}

/** The same for a start made elsewhere, which shows only in the start time of the replicas. */
export async function noteEarlyRestart(services: Services, records: Records, idler: IdleCandidate): Promise<void> {
  const { endpoint, watched, now } = idler
  const last = await services.store.lastDone(endpoint.id)
  const [stopped, started = 0] = [last?.ending?.at ?? 0, watched.newest]
  if (last === null || causeOf(last) !== 'idle' || started <= stopped || started - stopped > soon) return
  if (earlyRestartsOf(records, endpoint.id, now).includes(started)) return
  const { record, says } = regretFor(services, endpoint, records, started)
  const told = [say('idle.startedElsewhere', { name: endpoint.name }), says]
  await services.store.write(record, [{ at: now, what: 'regretted', detail: told }])
  void services.announce([told])
}

interface Regret {
  readonly record: Change
  readonly says: Words
}

function regretFor(services: Services, endpoint: Watchable, records: Records, started: number): Regret {
  const policy = services.policy()
  const at = [...earlyRestartsOf(records, endpoint.id, services.clock.now()), started]
  const rule = idleRuleOf(records, policy, endpoint)
  const length = rule === null ? null : idleTimeOf(rule, at.length, policy.automation.idle.most)
  const longer = length === null ? '' : say('idle.fromNowOn', { length: { lasting: length } })
  return {
    record: { put: [{ kind: 'regrets', endpoint: endpoint.id, at }] },
    says: [say('idle.tooEarly'), longer],
  }
}
