import { defineRequestAction } from '../../core/commands/define.ts'
import { endpointName, requestName } from '../../core/commands/fields.ts'

export const cancel = defineRequestAction({
  name: 'cancel',
  summary: 'Give up a request that is open; what it has stopped is started again.',
  examples: ['cancel my-llm'],
  fields: { request: requestName() },
  safe: true,
  done: 'Cancelled',
  deed: 'cancel',
})

export const undo = defineRequestAction({
  name: 'undo',
  summary: 'Ask for the opposite of what was last done or laid down, as a request of its own.',
  examples: ['undo my-llm'],
  fields: { endpoint: endpointName() },
  deed: 'undo',
})
