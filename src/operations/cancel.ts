import { defineDeed } from './define.ts'
import { requestName } from './naming-fields.ts'

export const cancel = defineDeed({
  name: 'cancel',
  summary: 'Give up a request that is open; what it has stopped is started again.',
  examples: ['cancel my-llm'],
  fields: { request: requestName() },
  safe: true,
  done: 'Cancelled',
  deed: 'cancel',
})
