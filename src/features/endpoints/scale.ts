import { scalingTo } from '../../core/commands/call.ts'
import { defineOperation, type Nonsense } from '../../core/commands/define.ts'
import { endpointName, optional, reasonText, replicaCount } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { PolicyLimits } from '../../core/model/policy.ts'
import { say } from '../../core/model/words.ts'

/** Rejects more replicas than the policy allows, if its limit is known. */
export function tooMany(replicas: number, bounds: PolicyLimits | undefined, field: string): Nonsense | false {
  const isMore = bounds !== undefined && replicas > bounds.replicas
  return isMore && { says: say('endpoint.mostReplicas', { most: bounds.replicas }), field }
}

export const scale = defineOperation({
  name: 'scale',
  also: ['조정'],
  hints:
    'add,more,fewer,reduce,increase,resize,replicas,another replica,set replicas,늘려,줄여,끌어올,레플리카 올,레플리카 추,레플리카 내,레플리카 하,레플리카 더',
  examples: ['scale my-llm to 3', 'scale my-llm 1 reason="quiet week"'],
  impact: () => 'disruptive',
  fields: { endpoint: endpointName(), to: replicaCount(), because: optional(reasonText()) },
  nonsense: ({ to }, bounds) => tooMany(to, bounds, 'to'),
  unless: ({ name, active, autoscaled, replicas }, { to }, bounds) => {
    if (active === false) return say('endpoint.scaleStopped', { name })
    if (autoscaled === true) return say('endpoint.autoscaled', { name })
    const many = tooMany(to, bounds, 'to')
    if (many !== false) return many.says
    return replicas === to && say('endpoint.hasReplicas', { name, count: to })
  },
  instead: ({ active, id, name }, { to }) =>
    active === false
      ? [{ label: say('start.ask', { name, replicas: to }), line: `start ${writeWord(id)} replicas=${to}` }]
      : [],
  current: ({ endpoint: { replicas } }) => (replicas === undefined ? {} : { fills: { to: replicas } }),
  steps: ({ to }, endpoint) => [scalingTo(endpoint, to, 'scaled')],
  inverse: ({ request: { endpoint, progress }, write }) => {
    const replicas = progress?.[0]?.sends[0]?.before.replicas
    return replicas === undefined
      ? { why: say('endpoint.replicasUnknown', { name: endpoint?.name ?? '' }) }
      : { line: write('scale', { endpoint: endpoint?.id, to: replicas }) }
  },
  phrase: ({ to }) => ({ key: 'scale', with: { to } }),
})
