import { defineOperation } from './define.ts'
import { endpointName, optional, text } from './field.ts'
import { starting } from './steps.ts'

export const start = defineOperation({
  name: 'start',
  also: ['up'],
  summary: 'Start an endpoint and wait until it serves.',
  examples: ['start my-llm', 'start my-llm because="demo at three"'],
  impact: () => 'reversible',
  fields: { endpoint: endpointName(), because: optional(text('Because', 'because')) },
  unless: ({ active }) => active === true && 'It is active already.',
  steps: (_, endpoint) => [starting(endpoint)],
  words: { ask: 'Start', doing: 'Starting', done: 'Started', leave: 'Leave it stopped' },
})
