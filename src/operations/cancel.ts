import { defineDeed } from './define.ts'
import { endpointName } from './field.ts'

export const cancel = defineDeed({
  name: 'cancel',
  summary: 'Give up the request that is open on an endpoint; what it has stopped is started again.',
  examples: ['cancel my-llm'],
  fields: { endpoint: endpointName() },
  deed: 'cancel',
})
