import { mayWrite } from '../../../core/commands/permissions.ts'
import type { Endpoint } from '../../../core/model/endpoint.ts'
import { type Language, type Sentence, say } from '../../../core/model/words.ts'
import { asText } from '../../../core/words/render.ts'
import { rowActions } from '../../../features/endpoints/actions.ts'
import { markOf, stateOf, stepIn } from '../../../features/endpoints/state.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'
import { contextLine, header } from '../kit/blocks.ts'
import { offersMenu } from '../kit/buttons.ts'
import type { AnyBlock } from '../kit/chart.ts'
import { nameRow } from '../kit/marks.ts'
import { idIn } from '../messages/draw.ts'
import type { Corner } from './glance.ts'

/** At most `share` endpoints, those that run first, each with what is next and what its viewer may do with it. */
export function endpointsOf(
  corner: Corner,
  named: boolean,
  share: number,
  now: number,
  language: Language,
): readonly AnyBlock[] {
  const { project, commands, role, listed, open, coming } = corner
  const title = header(asText(say('home.endpoints', { project: named ? project : 'none' }), language))
  if (listed === null) return [title, contextLine(asText(say('home.unlisted'), language))]
  const { endpoints, at } = listed
  const sorted = endpoints.toSorted((a, b) => rank(a) - rank(b) || order.compare(a.name, b.name))
  const shown = sorted.slice(0, share).map((endpoint, nth) => {
    const menu = offersMenu(
      rowActions(endpoint).filter(({ line }) => mayWrite(role, line, commands.rows)),
      language,
    )
    const state = asText(stateOf(endpoint, nextOf(endpoint)), language)
    return {
      ...nameRow(endpoint.name, markOf(endpoint), [state], menu, 300),
      block_id: idIn(project, `endpoint.${nth}`),
    }
  })
  const age = {
    recent: now - at < 60_000 ? 'yes' : 'no',
    age: { lasting: now - at },
    more: endpoints.length - shown.length,
  }
  return [title, ...shown, contextLine(asText(say('home.age', age), language))]

  /** The announced stop, or else the next change by its rules. */
  function nextOf({ id, active }: Endpoint): Sentence | 'none' {
    const notice = open.find((request) => request.endpoint?.id === id && noticeIn(request) !== null)
    const due = notice === undefined ? null : noticeIn(notice)
    if (due !== null) return stepIn('stops', due.due - now, notice?.via === 'idle' ? 'idle' : 'schedule')
    const next = coming.find((one) => one.endpoint.id === id)
    if (next === undefined || (next.want === 'down') !== active) return 'none'
    return stepIn(next.want === 'down' ? 'stops' : 'starts', next.at - now, 'schedule')
  }
}

const order = new Intl.Collator('en')

function rank({ active }: Endpoint): number {
  return active === false ? 1 : 0
}
