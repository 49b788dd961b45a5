import type { Endpoint } from '../../../core/model/endpoint.ts'
import { freezeAt } from '../../../core/model/records.ts'
import { type Sentence, say, type Words } from '../../../core/model/words.ts'
import { dotted } from '../../../core/requests/in-words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { announcedIn } from '../../../features/endpoints/lately.ts'
import { nextStep, openText, pauseText, stateOf } from '../../../features/endpoints/state.ts'
import { hourlyCost } from '../../../features/savings/prices.ts'

export function rowWords(endpoint: Endpoint, overview: Overview, now: number): Words {
  const calls = overview.open.filter((one) => one.endpoint?.id === endpoint.id && one.change === undefined)
  const rules = overview.rulesOf?.(endpoint)
  const guard = rules?.protected ? say('spared.protected') : ''
  return dotted(stateWith(endpoint, overview, now), openText(endpoint, calls), pauseText(rules, now), guard)
}

type Outlook = Pick<Overview, 'open' | 'prices' | 'idling' | 'rulesOf' | 'records'>

/** Describes an endpoint's state, next change and cost, and how long it has been idle if no rule stops it. */
export function stateWith(endpoint: Endpoint, outlook: Outlook, now: number): Sentence {
  const candidate = outlook.idling.find((one) => one.endpoint.id === endpoint.id)
  const own = outlook.open.filter((one) => one.endpoint?.id === endpoint.id)
  const freeze = freezeAt(outlook.records, now)
  return stateOf(endpoint, {
    next: nextStep(endpoint, { ...outlook, announcedOf: () => announcedIn(own), freeze, now }),
    idle: candidate === undefined ? 'none' : say('usage.idle', { length: { lasting: candidate.quietMs } }),
    cost: hourlyCost(outlook.prices)(endpoint),
  })
}
