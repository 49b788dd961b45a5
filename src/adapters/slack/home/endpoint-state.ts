import type { Endpoint } from '../../../core/model/endpoint.ts'
import { noticeCause } from '../../../core/model/rules.ts'
import { type Sentence, say, type Words } from '../../../core/model/words.ts'
import { dotted } from '../../../core/requests/in-words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { holdIn, stateOf, stepIn } from '../../../features/endpoints/state.ts'
import { hourlyCost } from '../../../features/savings/prices.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'

/** Describes an endpoint, and for how long its automation is paused, without saying a time: a row can't show zones. */
export function rowWords(endpoint: Endpoint, overview: Overview, now: number): Words {
  const rules = overview.rulesOf?.(endpoint)
  const hold = holdIn(rules, now)
  const pause = hold === null ? '' : say('home.paused', { length: { lasting: hold.until - now } })
  const guard = rules?.protected ? say('spared.protected') : ''
  return dotted(stateWith(endpoint, overview, now), pause, guard)
}

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
  const own = coming.filter((one) => one.endpoint.id === id)
  // After a pause, the rules may first want what already is.
  const next = own.find(({ want }) => (want === 'down') === active)
  // The rules want another state already: their start or stop failed, or is about to come.
  if (next === undefined || own[0]?.before === (active ? 'down' : 'up')) return 'none'
  return stepIn(next.want === 'down' ? 'stops' : 'starts', next.at - now, next.by ?? 'schedule')
}
