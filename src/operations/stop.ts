import { defineOperation } from './define.ts'
import { endpointName, optional, text } from './field.ts'
import { stopping } from './steps.ts'

export const stop = defineOperation({
  name: 'stop',
  also: ['down'],
  summary: 'Stop an endpoint and release its compute.',
  examples: ['stop my-llm', 'stop my-llm because="moving to v2"'],
  impact: () => 'disruptive',
  fields: { endpoint: endpointName(), because: optional(text('Because', 'because')) },
  unless: ({ active }) => active === false && 'It is stopped already.',
  steps: (_, endpoint) => [stopping(endpoint)],
  words: { ask: 'Stop', doing: 'Stopping', done: 'Stopped', leave: 'Leave it running' },
})
