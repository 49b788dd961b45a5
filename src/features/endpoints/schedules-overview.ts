import { defineQuery } from '../../core/commands/define.ts'
import { count, endpointName, optional } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { EndpointRules, Offer, QueryAnswer, Watching } from '../../core/model/query-answer.ts'
import type { Actor } from '../../core/model/roles.ts'
import { type Hold, isAgainst, isByHand, type OneOff, type Rule, type Rules } from '../../core/model/rules.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { announcedText } from '../../core/requests/awaited.ts'
import { dotted } from '../../core/requests/in-words.ts'
import { placeOfZone } from '../../core/time/zone.ts'
import { freezeItems } from '../safeguards/freeze.ts'
import { nextChange } from '../schedules/rules/coming.ts'
import { decidedText, staysStopped, textOf } from '../schedules/rules/describe.ts'
import { desired } from '../schedules/rules/desired-state.ts'
import { pagesBeside } from './list.ts'
import { markOf, nextStep, rowActions, stateOf } from './state.ts'

/** How many endpoints fit into a message with their rules. */
const size = 7

/** Comes before the name of a rule's owner. */
const by = say('schedules.by')

/** Rules shown for each endpoint if there are several. */
const few = 3

export const schedules = defineQuery({
  name: 'schedules',
  fenced: true,
  also: ['일정표', '스케줄표'],
  hints:
    "next,happens,will happen,will stop,will start,when will,when does,when is,what time,why does,why doesn't,why didn't,stops,starts,going to,show schedule,what schedule,안 꺼져,안 꺼지는,꺼지는,꺼져,꺼질,꺼지기,켜지는,켜져,켜질,켜지기,몇 시,일정 보,일정 알,일정 있,스케줄 보,스케줄 알,스케줄 있,스케줄 목록,일정 목록,예약 목록,예약 확인,예약 보,꺼지면 알",
  examples: ['schedules', 'schedules my-llm'],
  fields: { on: optional(endpointName()), page: optional(count('page', 'page', [1, 1_000])) },
  own: 'schedules',
  show: ({ freeze, ruled, outlooks }, { values: { on, page = 1 }, now }) => {
    const shown = ruled.slice((page - 1) * size, page * size)
    const [first] = shown
    const pages = Math.max(1, Math.ceil(ruled.length / size))
    return {
      title: titleOf(ruled, on, now),
      items: [
        ...freezeItems(freeze).map((item) => ({ ...item, offers: [{ label: say('thaw.ask'), line: 'thaw' }] })),
        ...shown.flatMap((one) => itemsOf(one, now, on === undefined ? few : Number.POSITIVE_INFINITY)),
      ],
      ...(outlooks.length > 0 && {
        block: outlooks.flatMap(({ zone, lines }, at) => [
          ...(at === 0 ? [] : ['']),
          say('schedules.days', { place: placeOfZone(zone) }),
          ...lines,
        ]),
      }),
      ...(pages > 1 && { foot: say('page.of', { page, pages }) }),
      offers: [
        ...(on === undefined || first === undefined ? [] : offersFor(first, now)),
        ...(on === undefined ? pagesBeside(page, ruled.length === 0 ? 0 : pages, 'schedules') : []),
      ],
    }
  },
})

function titleOf(ruled: readonly EndpointRules[], on: string | undefined, now: number): Sentence {
  const [first] = ruled
  if (on === undefined) return say('schedules.titleAll', { count: ruled.length })
  const name = first?.endpoint.name ?? on
  const none = first?.endpoint.active === false ? 'schedules.noStart' : 'schedules.none'
  return say(first === undefined || isEmpty(first, now) ? none : 'schedules.titleOf', { name })
}

function isEmpty({ endpoint, announced, entries, idle, rules }: EndpointRules, now: number): boolean {
  const isOverdue = isAgainst(desired(rules, now).want, endpoint.active ?? null)
  return entries.length === 0 && idle === undefined && announced === undefined && !isOverdue
}

function itemsOf(ruled: EndpointRules, now: number, most: number): QueryAnswer['items'] {
  const { endpoint, announced, entries, idle } = ruled
  if (isEmpty(ruled, now)) return []
  const [listed, more] = [entries.slice(0, most), entries.length - most]
  const { id, name, active, status = '' } = endpoint
  // A pause has a button of its own, which ends it.
  const isHeld = entries.some(({ rule }) => rule.kind === 'hold')
  const keep = { label: say('action.keep'), line: `keep ${writeWord(id)}`, opens: 'form' } as const
  const offers = [{ label: say('schedules.titleOf', { name }), line: `schedules ${writeWord(id)}` }]
  return [
    {
      text: name,
      strong: true,
      ...(typeof active === 'boolean' && { mark: markOf({ active, status }) }),
      detail: decidedOn({ ...ruled, entries: listed }, now),
      ...(announced && !isHeld && { offers: [keep] }),
    },
    ...listed.map(({ rule, resting }) => ({
      text: [
        '•',
        isRunning(rule, ruled, now) ? say('rule.runs', { until: { at: rule.until } }) : textOf(rule),
        ...movedIn(rule, ruled, now),
      ],
      ...ownerIn(rule),
      ...(resting && { detail: say('schedules.paused') }),
      ...(rule.kind === 'weekly' && rule.endpoint === null ? {} : { offers: [offerOf(rule, ruled, now)] }),
    })),
    ...(idle === undefined ? [] : [idleItem(idle, endpoint)]),
    ...(more > 0 ? [{ text: say('schedules.more', { count: more }), offers }] : []),
  ]
}

/** "Should be stopped until tomorrow at 09:00, then starts. A stop is announced for today at 20:20."; or the state. */
function decidedOn({ endpoint, announced, rules, gone, entries }: EndpointRules, now: number): Words {
  if (gone) return say('schedules.gone')
  const { id, name, active = null, status = '' } = endpoint
  if (announced && entries.length === 0) return announcedText(announced)
  const isToldBelow = entries.some(({ rule }) => rule.kind === 'hold' && decidesAlone(rules, rule, { now, active }))
  const says = isToldBelow ? '' : decidedText(rules, now, { active, status, listed: true })
  if (announced === undefined && says === '' && active !== null) {
    const shown = { id, name, active, status }
    const step = nextStep(shown, { now, rulesOf: () => rules })
    return dotted(stateOf(shown), step === 'none' ? '' : step)
  }
  const next = nextChange(rules, now)
  const stays = staysStopped(rules, now)
  const isSaid = announced === undefined || (says !== '' && next?.want === announced.want && next.at === announced.at)
  const more = isSaid ? [] : [announcedText(announced)]
  return stays === '' && isSaid ? says : [says, stays, ...more]
}

/** Whether a pause and its end say everything, because nothing starts or stops when it ends. */
function decidesAlone(rules: Rules, { until }: Hold, { now, active }: { now: number; active: boolean | null }) {
  const { by } = desired(rules, now)
  if (by.kind !== 'hold' || active === null) return false
  const next = nextChange(rules, now)
  return next === null || (next.at === until && next.want === (active ? 'up' : 'down'))
}

/** Whether a run has begun and was not stopped outside this product, so that only its end is still to come. */
function isRunning(rule: Rule, ruled: EndpointRules, now: number): rule is OneOff & { readonly until: number } {
  if (rule.kind !== 'once' || ruled.endpoint.active === false) return false
  return rule.want === 'up' && rule.at <= now && rule.until !== undefined
}

/** "(moved to tomorrow at 09:00)", after a stop or the end of a run that a pause or a freeze puts off. */
function movedIn(rule: Rule, ruled: EndpointRules, now: number): readonly Sentence[] {
  const isRun = isRunning(rule, ruled, now)
  if (rule.kind !== 'once' || !(isRun || rule.want === 'down')) return []
  const next = nextChange(ruled.rules, now)
  const planned = isRun ? rule.until : rule.at
  const isMoved = next?.want === 'down' && next.at > planned && 'id' in next.by && next.by.id === rule.id
  return isMoved ? [say('schedules.moved', { at: { at: next.at } })] : []
}

function ownerIn(rule: Rule): { readonly who?: Actor; readonly through?: Sentence } {
  const who = rule.kind === 'hold' ? rule.by : rule.owner
  return who === 'console' ? {} : { who, through: by }
}

function offerOf(rule: Rule, ruled: EndpointRules, now: number): Offer {
  const { id } = ruled.endpoint
  const hasSchedule = ruled.rules.weekly.length > 0
  if (rule.kind === 'hold')
    return {
      label: say(hasSchedule && isByHand(rule) ? 'rule.return' : 'keepOff.press'),
      line: `resume ${writeWord(id)}`,
    }
  // With weekly rules, the endpoint may still stop.
  const endsOnly = isRunning(rule, ruled, now) && !hasSchedule
  const isStop = endsOnly || (rule.kind === 'once' && rule.want === 'down')
  return {
    label: say(isStop ? 'schedules.cancelStop' : 'schedules.remove'),
    line: `unschedule ${writeWord(id)} rule=${writeWord(rule.id)}`,
  }
}

function offersFor(ruled: EndpointRules, now: number): readonly Offer[] {
  const { endpoint, entries, gone } = ruled
  const { id, active = null } = endpoint
  if (active === false && gone !== true && isEmpty(ruled, now)) return rowActions({ ...endpoint, active }).slice(0, 2)
  const own = entries.filter(({ rule }) => rule.kind === 'once' || (rule.kind === 'weekly' && rule.endpoint !== null))
  return own.length > 1 ? [{ label: say('schedules.removeAll'), line: `unschedule ${writeWord(id)}` }] : []
}

/** "idle stop after 1 h, warning 10 min before" */
function idleItem({ rule, after, note }: Watching, { id }: EndpointRules['endpoint']): QueryAnswer['items'][number] {
  const { mode, warn, autoscaled, owner } = rule
  const lengths = { after: { lasting: after }, warn: { lasting: warn } }
  const values = { ...lengths, mode, autoscaled: autoscaled === true ? 'yes' : 'no' }
  return {
    text: ['•', mode === 'off' ? say('schedules.neverIdle') : say('schedules.idle', values)],
    who: owner,
    through: by,
    ...(note !== '' && { detail: note }),
    ...(mode !== 'off' && { offers: [{ label: say('idleOff.press'), line: `idle ${writeWord(id)} off` }] }),
  }
}
