import type { Endpoint } from '../../../core/model/endpoint.ts'
import { noticeCause } from '../../../core/model/rules.ts'
import { type Sentence, say } from '../../../core/model/words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { stateOf, stepIn } from '../../../features/endpoints/state.ts'
import { hourlyCost } from '../../../features/savings/prices.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'

type Outlook = Pick<Overview, 'open' | 'coming' | 'prices' | 'idling'>

/** Describes an endpoint's state, next change and cost, and how long it has been idle if no rule stops it. */
export function stateWith(endpoint: Endpoint, outlook: Outlook, now: number): Sentence {
  const idler = outlook.idling.find((one) => one.endpoint.id === endpoint.id)
  return stateOf(endpoint, {
    next: nextOf(endpoint, outlook, now),
    idle: idler === undefined ? 'none' : say('usage.idle', { length: { lasting: idler.quietMs } }),
    cost: hourlyCost(outlook.prices)(endpoint),
  })
}

/** Returns the announced stop, or otherwise the next change by the endpoint's rules. */
function nextOf({ id, active }: Endpoint, { open, coming }: Outlook, now: number): Sentence | 'none' {
  const notice = open.find((request) => request.endpoint?.id === id && noticeIn(request) !== null)
  const due = notice === undefined ? null : noticeIn(notice)
  if (notice !== undefined && due !== null) return stepIn('stops', due.due - now, noticeCause(notice))
  const next = coming.find((one) => one.endpoint.id === id)
  if (next === undefined || (next.want === 'down') !== active) return 'none'
  return stepIn(next.want === 'down' ? 'stops' : 'starts', next.at - now, next.by ?? 'schedule')
}
