import { at, call } from '../../core/commands/call.ts'
import { defineQuery } from '../../core/commands/define.ts'
import { endpointName } from '../../core/commands/fields.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { QueryAnswer } from '../../core/model/query-answer.ts'
import type { Use } from '../../core/model/reading.ts'
import type { Request } from '../../core/model/request.ts'
import { type Rules, ruleName } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { itemOf } from '../history/command.ts'
import { soonAfter } from '../history/last-change.ts'
import { useText } from '../idle/usage.ts'
import { freezeItems } from '../safeguards/freeze.ts'
import { decidedText, staysStopped } from '../schedules/rules/describe.ts'
import { desired } from '../schedules/rules/desired-state.ts'
import { factsOf, holdIn, markOf, nextStep, rowActions, startStopButtons, stateOf } from './state.ts'

/** Words that ask about an endpoint, or about all of them. */
export const statusAsked = 'state,cost,costs,price,bill,pay,paying,spend,spending,비용,요금,지출,얼마,켜져 있,꺼져 있'

export const status = defineQuery({
  name: 'status',
  also: ['info', '상태'],
  hints: `${statusAsked},is ok,how,using,much would,끄면 얼마,끄면 어떻,누가 쓰,어때,slow,느려`,
  everyToken: true,
  examples: ['status my-llm', 'my-llm'],
  fields: { endpoint: endpointName() },
  call: (_, endpoint) => call('get', '/endpoints/{endpoint_id}', { params: at(endpoint) }),
  recent: 3,
  ruled: true,
  used: (endpoint) => [endpoint],
  show: (endpoint, { past = [], waiting = [], isTaken = false, rows, useOf, costOf, priceOf, ...context }) => ({
    title: endpoint.name,
    items: [
      ...freezeItems(context.freeze),
      {
        text: stateOf(endpoint, { next: nextStep(endpoint, context), cost: costOf?.(endpoint) }),
        mark: markOf(endpoint),
        ...(context.byProgram === true && { endpoint: factsOf(endpoint, priceOf?.(endpoint)) }),
        more: rowActions(endpoint).slice(1),
        ...(endpoint.problem !== undefined && { detail: endpoint.problem }),
      },
      ...guarded(context.guardOf?.(endpoint)),
      ...waiting,
      ...replicaStates(endpoint),
      ...ruled(context.rulesOf?.(endpoint), context.now, endpoint),
      ...used(useOf?.(endpoint) ?? null, context.rulesOf?.(endpoint), context.now),
      ...past.map((request) => itemOf({ request, events: [] }, null, { now: context.now, rows })),
    ],
    ...footOf(endpoint, context.now, past),
    offers: isTaken
      ? []
      : startStopButtons(endpoint).filter(({ line }) => !isUnderWay(line, context.openOn?.(endpoint))),
  }),
})

/** Whether a line would start or stop an endpoint that is being started or stopped. */
function isUnderWay(line: string, open: readonly Request[] = []): boolean {
  const verbOf = (one: string) => one.split(' ')[0]
  return open.some((one) => one.status === 'running' && verbOf(one.line) === verbOf(line))
}

function guarded(text: Words = ''): QueryAnswer['items'] {
  return text === '' ? [] : [{ text }]
}

function replicaStates({ replicasByState = {} }: Endpoint): QueryAnswer['items'] {
  const states = Object.entries(replicasByState)
  return states.length > 1 ? states.map(([state, count]) => ({ text: `${state}: ${count}` })) : []
}

/** Returns what overrides the weekly rules, except a freeze, and these rules. The state above says what comes next. */
function ruled(rules: Rules | undefined, now: number, { active, status = '' }: Endpoint): QueryAnswer['items'] {
  if (rules === undefined) return []
  const { by } = desired(rules, now)
  const hold = holdIn(rules, now)
  // The sentence about a pause already names the person.
  const isNamed = hold !== null && (hold.against === true || hold.skips !== undefined)
  const isWeekly = by.kind === 'weekly' || (by.kind === 'nothing' && rules.weekly.length > 0)
  const says = isWeekly || by.kind === 'freeze' ? '' : decidedText(rules, now, { active, status })
  const who = isNamed &&
    hold.by !== 'console' && { who: hold.by, through: say('status.keptBy', { how: hold.against ? 'hand' : 'kept' }) }
  return [
    ...(says === '' ? [] : [{ text: says, ...who }]),
    ...rules.weekly.map((rule) => ({ text: say('status.rule', { rule: ruleName(rule) }) })),
    ...guarded(active === false && rules.weekly.length === 0 ? '' : staysStopped(rules, now)),
  ]
}

/** Returns the endpoint's use and its consequence; under a hold, only its use. */
function used(use: Use | null, rules: Rules | undefined, now: number): QueryAnswer['items'] {
  if (use === null) return []
  if (holdIn(rules, now) === null) return [{ text: useText(use) }]
  const { watched: _, ...unwatched } = use
  return use.last === null ? [] : [{ text: useText(unwatched) }]
}

/**
 * Returns what helps if something is wrong: the address, and the time of the last change, if it can be read and was not
 * made by one of the requests above.
 */
function footOf(
  { url = '', updatedAt = '' }: Endpoint,
  now: number,
  past: readonly Request[],
): Partial<Pick<QueryAnswer, 'foot'>> {
  const at = Date.parse(updatedAt)
  const address = /^https?:\/\/(localhost|127\.)/.test(url) ? '' : url.trim()
  const isOurs = past.some(({ startedAt = Infinity, ending }) => startedAt <= at && at <= (ending?.at ?? 0) + soonAfter)
  if (Number.isNaN(at) || isOurs) return address === '' ? {} : { foot: address }
  return { foot: say('status.details', { length: { lasting: now - at }, url: address || 'none' }) }
}

export const replicas = defineQuery({
  name: 'replicas',
  also: ['ps', '레플리카'],
  examples: ['replicas my-llm'],
  fields: { endpoint: endpointName() },
  call: (_, endpoint) => call('get', '/endpoints/{endpoint_id}/replicas', { params: at(endpoint) }),
  show: (found, { endpoint, now }) => ({
    title: say('replicas.title', { name: endpoint?.name ?? '', count: found.length }),
    items: found.map(({ id, state, node, startedAt }) => ({
      text: say('replicas.state', { id, state }),
      detail: [
        startedAt === null ? '' : say('replicas.running', { length: { lasting: now - startedAt * 1000 } }),
        node === null ? '' : say('replicas.node', { node: node.slice(0, 12) }),
      ],
    })),
  }),
})
