import { defineRequestAction } from '../../core/commands/define.ts'
import { requestName, text } from '../../core/commands/fields.ts'

export const breakGlass = defineRequestAction({
  name: 'break-glass',
  summary: 'Let a request pass that waits for approvals; everybody is told, with the reason.',
  examples: ['break-glass my-llm because="production is down and nobody answers"'],
  fields: { request: requestName(), because: text('Because', 'because') },
  needs: () => 'admin',
  done: 'Let pass',
  deed: 'break glass',
})
