import type { Endpoint } from '../../core/model/endpoint.ts'
import type { OneOff, Rules } from '../../core/model/rules.ts'
import type { Services } from '../../core/ports/services.ts'
import { saveState } from './look.ts'
import { currentDecisionOf } from './rules/reconcile-decision.ts'
import { bookFor } from './rules/rulebook.ts'

/**
 * Returns the requested runs (`start … for`) that a stop ends: the first stop ends a run, whoever makes it, and a later
 * start is another run. `runs`: newest first; `rules`: what decides from then on.
 */
export async function endedRuns(
  services: Services,
  endpoint: Pick<Endpoint, 'id' | 'name' | 'active'>,
  { from, now }: { readonly from: number; readonly now: number },
): Promise<{ readonly runs: readonly OneOff[]; readonly rules: Rules }> {
  const all = bookFor(services, await services.store.records()).of(endpoint)
  const runs = all.once.filter(({ want, at }) => want === 'up' && at <= now).toSorted((a, b) => b.at - a.at)
  const rules = { ...all, once: all.once.filter((one) => !runs.includes(one)) }
  if (runs.length === 0) return { runs, rules }
  const { decision, occurrence } = currentDecisionOf(endpoint.id, { ...rules, freeze: null }, now)
  // The other rules' decision counts as met, so that they leave alone an endpoint that was stopped against them.
  if (decision.want !== 'hands off')
    await saveState(services, endpoint.id, { occurrence, state: 'met', attempts: 0, at: from })
  return { runs, rules }
}
