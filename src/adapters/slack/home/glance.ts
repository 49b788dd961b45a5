import type { Commands } from '../../../core/commands/commands.ts'
import { mayWrite } from '../../../core/commands/permissions.ts'
import { writeWord } from '../../../core/commands/quoting.ts'
import { inCurrency } from '../../../core/model/automation.ts'
import { currentState } from '../../../core/model/endpoint.ts'
import { includes } from '../../../core/model/roles.ts'
import { type Language, say } from '../../../core/model/words.ts'
import type { Overview } from '../../../core/requests/overview.ts'
import { asText } from '../../../core/words/render.ts'
import { rowWords } from '../../../features/endpoints/lately.ts'
import { markOf, rowActions } from '../../../features/endpoints/state.ts'
import { hoursAMonth } from '../../../features/savings/format.ts'
import { hourlyCost, perHourOf } from '../../../features/savings/prices.ts'
import type { ChangeAhead } from '../../../lifecycle/messages/ahead.ts'
import { type AnyBlock, contextLine, header, paragraph, preformatted } from '../kit/blocks.ts'
import { buttons, marked, nameRow, offerButton, offersMenu } from '../kit/buttons.ts'
import { shortened } from '../kit/text.ts'
import { idIn } from '../messages/draw.ts'
import { isUpBefore, pictureOf } from './picture.ts'

export interface Corner extends Overview {
  readonly commands: Commands
}

const most = { idling: 3, drawn: 8, coming: 5 } as const

export function runningIn(
  { project, listed, prices }: Corner,
  named: boolean,
  language: Language,
): readonly AnyBlock[] {
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
  const shown = idling.slice(0, most.idling).map(({ endpoint, quietMs, after }, at) => {
    const says = asText(say('home.idleFor', { length: { lasting: quietMs }, hour: costOf(endpoint) }), language)
    const offer = { label: say('idle.stopWhenIdle'), line: `idle ${writeWord(endpoint.id)} after ${after}` }
    return nameRow(endpoint.name, 'idle', [says], mayOperate ? offerButton(offer, at, language) : undefined, 300)
  })
  const more = idling.length - shown.length
  const rest = more > 0 ? [contextLine(asText(say('home.moreIdle', { count: more }), language))] : []
  return shown.length === 0 ? [] : [paragraph({ bold: asText(say('home.idle'), language) }), ...shown, ...rest]
}

export interface Ahead extends ChangeAhead {
  readonly project: string
}

/** Draws 24 hours in the reader’s zone, a line per endpoint that serves or changes, then the `listed` changes in words. */
export function aheadIn(
  coming: readonly Ahead[],
  listed: readonly Ahead[],
  corners: readonly Corner[],
  now: number,
  language: Language,
): readonly AnyBlock[] {
  if (coming.length === 0) return []
  const named = corners.length > 1
  const zone = corners.map((one) => one.zone).find((one) => one !== null) ?? 'UTC'
  const running = corners.flatMap(({ listed }) =>
    (listed?.endpoints ?? []).filter((one) => currentState(one) === 'running'),
  )
  const either = [...coming.map(({ endpoint }) => endpoint), ...running]
  const drawn = new Map(either.map(({ id, name }) => [id, { name, changes: [] as Ahead[] }]))
  for (const one of coming) drawn.get(one.endpoint.id)?.changes.push(one)
  // Stable: among the running ones and among the others, what changes first comes first.
  const ordered = [...drawn.values()].toSorted((a, b) => Number(isUpBefore(b.changes)) - Number(isUpBefore(a.changes)))
  const picture = pictureOf(ordered.slice(0, most.drawn), now, zone)
  const words = listed.slice(0, most.coming).map(({ endpoint, at, want, why, project }) => {
    const says = say('home.change', { where: named ? project : 'none', want, at: { at }, why })
    return paragraph({ bold: shortened(endpoint.name, 60) }, ` ${asText(says, language)}`)
  })
  const legend = asText(say('home.legend', { zone, more: Math.max(0, drawn.size - most.drawn) }), language)
  const count = listed.length - words.length
  const more = count > 0 ? [contextLine(asText(say('rule.more', { count }), language))] : []
  return [preformatted(picture), contextLine(legend), ...words, ...more, allSchedules(language)]
}

/** Says what happens next if nothing changes within 24 hours. Expects the changes in order of time. */
export function laterIn([next, ...more]: readonly Ahead[], corners: readonly Corner[], language: Language) {
  if (next === undefined) {
    const isRuled = corners.some(({ ruled }) => ruled)
    const none = contextLine(asText(say('home.aheadNone', { ruled: isRuled ? 'yes' : 'no' }), language))
    return isRuled ? [none, allSchedules(language)] : [none]
  }
  const { want, at } = next
  const count = 1 + more.filter((one) => one.at === at && one.want === want).length
  const says = say('home.aheadLater', { count, name: next.endpoint.name, want, at: { at } })
  return [paragraph(asText(says, language)), allSchedules(language)]
}

function allSchedules(language: Language): AnyBlock {
  return buttons(offerButton({ label: say('home.schedules'), line: 'schedules' }, 0, language))
}

/** Lists at most `share` endpoints, running ones first, with the next change and the actions open to the viewer. */
export function endpointsOf(
  corner: Corner,
  named: boolean,
  share: number,
  now: number,
  language: Language,
): readonly AnyBlock[] {
  const { project, commands, role, listed } = corner
  const title = header(asText(say('home.endpoints', { project: named ? project : 'none' }), language))
  if (listed === null) return [title, contextLine(asText(say('home.unlisted'), language))]
  const { endpoints, at } = listed
  const sorted = endpoints.toSorted(
    (a, b) => Number(a.active === false) - Number(b.active === false) || order.compare(a.name, b.name),
  )
  const shown = sorted.slice(0, share).map((endpoint, nth) => {
    const menu = offersMenu(
      rowActions(endpoint).filter(({ line }) => mayWrite(role, line, commands.rows)),
      language,
    )
    const state = asText(rowWords(endpoint, corner, now), language)
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
}

const order = new Intl.Collator('en')
