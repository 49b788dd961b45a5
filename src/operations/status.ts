import { decidedText } from '../domain/decided.ts'
import { desired } from '../domain/desired.ts'
import { lasting } from '../domain/duration.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { Hold, Rules } from '../domain/rules.ts'
import type { Shown } from '../domain/shown.ts'
import { type Use, useText } from '../domain/use.ts'
import { call } from './call.ts'
import { defineQuery } from './define.ts'
import { itemOf } from './history.ts'
import { endpointName } from './naming-fields.ts'
import { nextOf, stateOf, switchesOf } from './show.ts'
import { at } from './steps.ts'

export const status = defineQuery({
  name: 'status',
  also: ['info'],
  summary: 'Show one endpoint as the platform sees it now.',
  examples: ['status my-llm', 'my-llm'],
  fields: { endpoint: endpointName() },
  call: (_, endpoint) => call('get', '/endpoints/{endpoint_id}', { params: at(endpoint) }),
  recent: 3,
  ruled: true,
  used: (endpoint) => [endpoint],
  show: (endpoint, { past = [], rows, useOf, ...context }) => ({
    title: endpoint.name,
    items: [
      {
        text: stateOf(endpoint, nextOf(endpoint, context)),
        ...(endpoint.problem !== undefined && { detail: endpoint.problem }),
      },
      ...mixed(endpoint).map(([state, n]) => ({ text: `${state}: ${n}` })),
      ...ruled(context.rulesOf?.(endpoint), context.now, endpoint.active),
      ...used(useOf?.(endpoint) ?? null, context.rulesOf?.(endpoint), context.now),
      ...(endpoint.url === undefined ? [] : [{ text: endpoint.url }]),
      ...past.map((one) => itemOf(one, null, { now: context.now, rows })),
    ],
    foot: [endpoint.id, changed(endpoint, context.now)].filter(Boolean).join(' · '),
    offers: switchesOf(endpoint),
  }),
})

/** States and their counts, where not all replicas are in the same one. */
function mixed({ replicasByState = {} }: Endpoint): readonly (readonly [string, number])[] {
  const states = Object.entries(replicasByState)
  return states.length > 1 ? states : []
}

/** What its rules say now, what is next, and who keeps it so. */
function ruled(rules: Rules | undefined, now: number, active: boolean | null): Shown['items'] {
  const says = rules === undefined ? '' : decidedText(rules, now, active)
  const by = holdIn(rules, now)?.by
  return says === '' ? [] : [{ text: says, ...(by !== undefined && by !== 'console' && { who: by }) }]
}

/** Whether it is used, on what evidence, and what comes of that, unless it was just said that it is kept as it is. */
function used(use: Use | null, rules: Rules | undefined, now: number): Shown['items'] {
  if (use === null) return []
  if (holdIn(rules, now) === null) return [{ text: useText(use) }]
  const { watched: _, ...unwatched } = use
  return use.last === null ? [] : [{ text: useText(unwatched) }]
}

/** What keeps it as it is, if that is what decides. */
function holdIn(rules: Rules | undefined, now: number): Hold | null {
  const by = rules === undefined ? 'nothing' : desired(rules, now).by
  return typeof by !== 'string' && by.kind === 'hold' ? by : null
}

/** "changed 3 h ago", where the platform's time can be read. */
function changed({ updatedAt = '' }: Endpoint, now: number): string | undefined {
  const at = Date.parse(updatedAt)
  return Number.isNaN(at) ? undefined : `changed ${lasting(now - at)} ago`
}
