import { scalingTo } from '../../core/commands/call.ts'
import { defineOperation } from '../../core/commands/define.ts'
import { endpointName, optional, replicaCount, text } from '../../core/commands/fields.ts'

export const scale = defineOperation({
  name: 'scale',
  summary: 'Set how many replicas an active endpoint has.',
  examples: ['scale my-llm to 3', 'scale my-llm 1 because="quiet week"'],
  impact: () => 'disruptive',
  fields: { endpoint: endpointName(), to: replicaCount(), because: optional(text('Because', 'because')) },
  unless: ({ active, autoscaled, replicas }, { to }, bounds) => {
    if (active === false) return 'It is stopped, and only an active endpoint can be scaled. Start it first.'
    if (autoscaled === true) return 'The platform scales it by itself, so it takes no number from here.'
    if (to > bounds.replicas) return `The policy allows at most ${bounds.replicas} replicas (bounds.replicas).`
    return replicas === to && `It has ${to} already.`
  },
  steps: ({ to }, endpoint) => [scalingTo(endpoint, to, 'scaled')],
  inverse: ({ request: { endpoint, progress }, write }) => {
    const replicas = progress?.[0]?.sends[0]?.before.replicas
    return replicas === undefined
      ? { why: 'How many replicas it had before was not to be seen.' }
      : { line: write('scale', { endpoint: endpoint?.id, to: replicas }) }
  },
  words: { ask: 'Scale', doing: 'Scaling', done: 'Scaled', leave: 'Leave it as it is', what: ({ to }) => `to ${to}` },
})
