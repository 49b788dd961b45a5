import type { Endpoint } from '../../../core/model/endpoint.ts'
import { noticeCause } from '../../../core/model/rules.ts'
import type { Sentence } from '../../../core/model/words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { stateOf, stepIn } from '../../../features/endpoints/state.ts'
import { hourlyCost } from '../../../features/savings/prices.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'

type Outlook = Pick<Overview, 'open' | 'coming' | 'prices'>

/** How an endpoint stands, with what is next and what it costs. */
export function stateWith(endpoint: Endpoint, outlook: Outlook, now: number): Sentence {
  return stateOf(endpoint, { next: nextOf(endpoint, outlook, now), cost: hourlyCost(outlook.prices)(endpoint) })
}

/** The announced stop, or else the next change by its rules. */
function nextOf({ id, active }: Endpoint, { open, coming }: Outlook, now: number): Sentence | 'none' {
  const notice = open.find((request) => request.endpoint?.id === id && noticeIn(request) !== null)
  const due = notice === undefined ? null : noticeIn(notice)
  if (notice !== undefined && due !== null) return stepIn('stops', due.due - now, noticeCause(notice))
  const next = coming.find((one) => one.endpoint.id === id)
  if (next === undefined || (next.want === 'down') !== active) return 'none'
  return stepIn(next.want === 'down' ? 'stops' : 'starts', next.at - now, next.by ?? 'schedule')
}
