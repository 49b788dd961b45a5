import { defineDeed } from './define.ts'
import { requestName } from './naming-fields.ts'

export const approve = defineDeed({
  name: 'approve',
  summary: 'Agree to a request that waits for an answer, as its button would.',
  examples: ['approve my-llm'],
  fields: { request: requestName() },
  // Who may depends on the request, and is looked up for it.
  needs: () => 'viewer',
  done: 'Approved',
  deed: 'approve',
})
