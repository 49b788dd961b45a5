import { defineRequestAction } from '../../core/commands/define.ts'
import { optional, requestName, text } from '../../core/commands/fields.ts'

export const approve = defineRequestAction({
  name: 'approve',
  examples: ['approve my-llm'],
  fields: { request: requestName() },
  // Who may depends on the request, and is looked up for it.
  needs: () => 'viewer',
  deed: 'approve',
})

export const decline = defineRequestAction({
  name: 'decline',
  examples: ['decline my-llm', 'decline my-llm because="the demo is still on"'],
  fields: { request: requestName(), because: optional(text('Because', 'because')) },
  needs: () => 'viewer',
  safe: true,
  deed: 'decline',
})

export const breakGlass = defineRequestAction({
  name: 'break-glass',
  examples: ['break-glass my-llm because="production is down and nobody answers"'],
  fields: { request: requestName(), because: text('Because', 'because') },
  needs: () => 'admin',
  deed: 'break glass',
})
