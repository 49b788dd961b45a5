import { defineDeed } from './define.ts'
import { optional, text } from './field.ts'
import { requestName } from './naming-fields.ts'

export const decline = defineDeed({
  name: 'decline',
  summary: 'Say no to a request that waits for an answer, with or without a reason.',
  examples: ['decline my-llm', 'decline my-llm because="the demo is still on"'],
  fields: { request: requestName(), because: optional(text('Because', 'because')) },
  needs: () => 'viewer',
  safe: true,
  done: 'Declined',
  deed: 'decline',
})
