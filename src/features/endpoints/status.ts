import { at, call } from '../../core/commands/call.ts'
import { defineQuery } from '../../core/commands/define.ts'
import { endpointName } from '../../core/commands/fields.ts'
import type { QueryAnswer } from '../../core/model/answer.ts'
import { type Endpoint, stateOf } from '../../core/model/endpoint.ts'
import type { Use } from '../../core/model/reading.ts'
import type { Hold, Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { itemOf } from '../history/command.ts'
import { useText } from '../idle/usage.ts'
import { decidedText, nextStepText } from '../schedules/rules/describe.ts'
import { desired } from '../schedules/rules/desired-state.ts'
import { startStopButtons } from './list.ts'

export const status = defineQuery({
  name: 'status',
  also: ['info'],
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
        text: stateOf(endpoint, nextStepText(endpoint, context)),
        ...(endpoint.problem !== undefined && { detail: endpoint.problem }),
      },
      ...replicaStates(endpoint),
      ...ruled(context.rulesOf?.(endpoint), context.now, endpoint.active),
      ...used(useOf?.(endpoint) ?? null, context.rulesOf?.(endpoint), context.now),
      ...(endpoint.url === undefined ? [] : [{ text: endpoint.url }]),
      ...past.map((one) => itemOf(one, null, { now: context.now, rows })),
    ],
    foot: footOf(endpoint, context.now),
    offers: startStopButtons(endpoint),
  }),
})

function replicaStates({ replicasByState = {} }: Endpoint): QueryAnswer['items'] {
  const states = Object.entries(replicasByState)
  return states.length > 1 ? states.map(([state, count]) => ({ text: `${state}: ${count}` })) : []
}

function ruled(rules: Rules | undefined, now: number, active: boolean | null): QueryAnswer['items'] {
  const says = rules === undefined ? '' : decidedText(rules, now, { active })
  const by = holdIn(rules, now)?.by
  return says === '' ? [] : [{ text: says, ...(by !== undefined && by !== 'console' && { who: by }) }]
}

/** Its use and what follows from it; under a hold the use alone. */
function used(use: Use | null, rules: Rules | undefined, now: number): QueryAnswer['items'] {
  if (use === null) return []
  if (holdIn(rules, now) === null) return [{ text: useText(use) }]
  const { watched: _, ...unwatched } = use
  return use.last === null ? [] : [{ text: useText(unwatched) }]
}

function holdIn(rules: Rules | undefined, now: number): Hold | null {
  const by = rules === undefined ? 'nothing' : desired(rules, now).by
  return typeof by !== 'string' && by.kind === 'hold' ? by : null
}

/** "ep-1 · changed 3 h ago"; the id alone if the platform's time cannot be read. */
function footOf({ id, updatedAt = '' }: Endpoint, now: number): Words {
  const at = Date.parse(updatedAt)
  return Number.isNaN(at) ? id : say('status.changed', { id, length: { lasting: now - at } })
}
