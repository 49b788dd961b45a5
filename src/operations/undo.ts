import { defineDeed } from './define.ts'
import { endpointName } from './naming-fields.ts'

export const undo = defineDeed({
  name: 'undo',
  summary: 'Ask for the opposite of what was last done or laid down, as a request of its own.',
  examples: ['undo my-llm'],
  fields: { endpoint: endpointName() },
  deed: 'undo',
})
