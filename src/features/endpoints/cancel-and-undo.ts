import { defineRequestAction } from '../../core/commands/define.ts'
import { endpointName, requestName } from '../../core/commands/fields.ts'

export const cancel = defineRequestAction({
  name: 'cancel',
  examples: ['cancel my-llm'],
  fields: { request: requestName() },
  safe: true,
  deed: 'cancel',
})

export const undo = defineRequestAction({
  name: 'undo',
  examples: ['undo my-llm'],
  fields: { endpoint: endpointName() },
  deed: 'undo',
})
