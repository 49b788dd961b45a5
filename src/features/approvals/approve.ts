import { defineRequestAction } from '../../core/commands/define.ts'
import { optional, requestName, text } from '../../core/commands/fields.ts'

export const approve = defineRequestAction({
  name: 'approve',
  summary: 'Agree to a request that waits for an answer, as its button would.',
  examples: ['approve my-llm'],
  fields: { request: requestName() },
  // Who may depends on the request, and is looked up for it.
  needs: () => 'viewer',
  done: 'Approved',
  deed: 'approve',
})

export const decline = defineRequestAction({
  name: 'decline',
  summary: 'Say no to a request that waits for an answer, with or without a reason.',
  examples: ['decline my-llm', 'decline my-llm because="the demo is still on"'],
  fields: { request: requestName(), because: optional(text('Because', 'because')) },
  needs: () => 'viewer',
  safe: true,
  done: 'Declined',
  deed: 'decline',
})

export const breakGlass = defineRequestAction({
  name: 'break-glass',
  summary: 'Let a request pass that waits for approvals; everybody is told, with the reason.',
  examples: ['break-glass my-llm because="production is down and nobody answers"'],
  fields: { request: requestName(), because: text('Because', 'because') },
  needs: () => 'admin',
  done: 'Let pass',
  deed: 'break glass',
})
