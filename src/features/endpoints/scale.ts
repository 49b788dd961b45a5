import { scalingTo } from '../../core/commands/call.ts'
import { defineOperation } from '../../core/commands/define.ts'
import { endpointName, optional, reasonText, replicaCount } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/parse.ts'
import { say } from '../../core/model/words.ts'

export const scale = defineOperation({
  name: 'scale',
  also: ['조정'],
  hints: ['add', 'more', 'fewer', 'resize', 'set replicas of', 'set the replicas of', '늘려', '늘리', '줄여', '줄이'],
  examples: ['scale my-llm to 3', 'scale my-llm 1 reason="quiet week"'],
  impact: () => 'disruptive',
  fields: { endpoint: endpointName(), to: replicaCount(), because: optional(reasonText()) },
  unless: ({ name, active, autoscaled, replicas }, { to }, bounds) => {
    if (active === false) return say('endpoint.scaleStopped', { name })
    if (autoscaled === true) return say('endpoint.autoscaled', { name })
    if (to > bounds.replicas) return say('endpoint.mostReplicas', { most: bounds.replicas })
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
