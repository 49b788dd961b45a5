import type { Commands } from '../../../core/commands/commands.ts'
import { mayWrite } from '../../../core/commands/permissions.ts'
import { writeWord } from '../../../core/commands/quoting.ts'
import { inCurrency } from '../../../core/model/automation.ts'
import { currentState } from '../../../core/model/endpoint.ts'
import { includes } from '../../../core/model/roles.ts'
import { type Language, say } from '../../../core/model/words.ts'
import { expiresOf, knownOf } from '../../../core/requests/awaited.ts'
import { askerOf, dotted, parsedBy, questionOf } from '../../../core/requests/in-words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { asText } from '../../../core/words/render.ts'
import { rowWords } from '../../../features/endpoints/lately.ts'
import { markOf, rowActions } from '../../../features/endpoints/state.ts'
import { hoursAMonth } from '../../../features/savings/format.ts'
import { hourlyCost, perHourOf } from '../../../features/savings/prices.ts'
import { noticeIn } from '../../../lifecycle/messages/card.ts'
import { buttonsPart, smallPart, textPart } from '../../../lifecycle/messages/draft.ts'
import { askOf } from '../../../lifecycle/messages/question.ts'
import { type AnyBlock, contextLine, header, paragraph } from '../kit/blocks.ts'
import { marked, nameRow, offerButton, offersMenu } from '../kit/buttons.ts'
import { shortened } from '../kit/text.ts'
import { blocksOf, tagWithProject } from '../messages/draw.ts'

export interface Corner extends Overview {
  readonly commands: Commands
}

/** How many idle endpoints are listed. */
const mostIdling = 3

export function runningIn({ project, listed, prices }: Corner, named: boolean, language: Language) {
  if (listed === null) return []
  const up = listed.endpoints.filter(({ active }) => active !== false)
  const known = up.flatMap((endpoint) => perHourOf(prices, endpoint) ?? [])
  const hour = known.reduce((sum, one) => sum + one, 0)
  const failed = up.filter((one) => currentState(one) === 'failed')
  const running = up.filter((one) => currentState(one) === 'running')
  const mark = failed.length > 0 ? 'failed' : running.length > 0 ? 'running' : 'stopped'
  const cost = (amount: number) => inCurrency(amount, prices.currency)
  const says = say('home.cost', {
    up: running.length,
    all: listed.endpoints.length,
    failed: failed.length,
    names: shortened(failed.map(({ name }) => name).join(', '), 60),
    hour: hour === 0 ? 'none' : cost(hour),
    month: cost(hour * hoursAMonth),
    unpriced: up.length - known.length,
  })
  return [paragraph(...(named ? [{ bold: `${project} ` }] : []), marked(mark, asText(says, language)))]
}

/** Lists endpoints that nobody uses and no rule stops, each with a button that creates an idle rule. */
export function idlingIn({ idling, prices, role }: Corner, language: Language): readonly AnyBlock[] {
  const mayOperate = includes(role, 'operator')
  const costOf = hourlyCost(prices)
  const shown = idling.slice(0, mostIdling).map(({ endpoint, quietMs, after }, at) => {
    const says = asText(say('home.idleFor', { length: { lasting: quietMs }, hour: costOf(endpoint) }), language)
    const offer = { label: say('idle.stopWhenIdle'), line: `idle ${writeWord(endpoint.id)} after ${after}` }
    return nameRow(endpoint.name, 'idle', [says], mayOperate ? offerButton(offer, at, language) : undefined, 300)
  })
  const more = idling.length - shown.length
  const rest = more > 0 ? [contextLine(asText(say('home.moreIdle', { count: more }), language))] : []
  return shown.length === 0 ? [] : [paragraph({ bold: asText(say('home.idle'), language) }), ...shown, ...rest]
}

/** Lists at most `share` endpoints, running ones first, with the next change and the actions open to the viewer. */
export function endpointsOf(corner: Corner, named: boolean, share: number, now: number, language: Language) {
  const { project, commands, role, listed } = corner
  const title = header(asText(say('home.endpoints', { project: named ? project : 'none' }), language))
  if (listed === null) return [title, contextLine(asText(say('home.unlisted'), language))]
  const { endpoints, at } = listed
  const sorted = endpoints.toSorted(
    (a, b) => Number(a.active === false) - Number(b.active === false) || order.compare(a.name, b.name),
  )
  const shown = sorted.slice(0, share).map((endpoint) => {
    const menu = offersMenu(
      rowActions(endpoint).filter(({ line }) => mayWrite(role, line, commands.rows)),
      language,
    )
    return nameRow(endpoint.name, markOf(endpoint), [asText(rowWords(endpoint, corner, now), language)], menu, 300)
  })
  const age = {
    recent: now - at < 60_000 ? 'yes' : 'no',
    age: { lasting: now - at },
    more: endpoints.length - shown.length,
  }
  const tagged = tagWithProject(project, shown, 'endpoint')
  return [title, ...tagged, contextLine(asText(say('home.age', age), language))]
}

const order = new Intl.Collator('en')

export type Asks = Pick<Overview, 'project' | 'mayAnswer' | 'membersOf' | 'open'>

/** Returns the questions that this person may answer. A notice needs no answer. */
export function asksIn({ open, mayAnswer }: Asks) {
  return open.filter((one) => one.status === 'awaiting' && noticeIn(one) === null && mayAnswer(one))
}

/** Draws at most `most` questions, with the facts that people need to answer them. `named`: with their project. */
export function asksShown(
  asks: Asks,
  commands: Commands,
  { most, named }: { readonly most: number; readonly named: boolean },
  language: Language,
): readonly AnyBlock[] {
  const { project, membersOf } = asks
  return asksIn(asks)
    .slice(0, most)
    .flatMap((one, at) => {
      const request = parsedBy(commands, one)
      const presses = askOf(request, membersOf).parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []))
      const where = named ? say('home.project', { project }) : ''
      const parts = [
        textPart({ bold: questionOf(request) }, ' ', knownOf(request)),
        smallPart(dotted(askerOf(request), expiresOf(request), where)),
        buttonsPart(...presses),
      ]
      const blocks = parts.flatMap((part) => blocksOf(part, language))
      return tagWithProject(project, blocks, `ask.${at}.`)
    })
}
