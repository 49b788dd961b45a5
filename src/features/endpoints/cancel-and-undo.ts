import { defineDeed } from '../../core/commands/define.ts'
import { endpointName, optional, reasonText, requestName } from '../../core/commands/fields.ts'

export const cancel = defineDeed({
  name: 'cancel',
  everyToken: true,
  also: ['취소'],
  examples: ['cancel my-llm'],
  fields: { request: requestName(), because: optional(reasonText()) },
  safe: true,
  // People may cancel what they asked for, even once they have lost the role. For anything else it is checked later.
  needs: () => 'viewer',
  deed: 'cancel',
})

export const undo = defineDeed({
  name: 'undo',
  peopleOnly: true,
  also: ['되돌리기'],
  hints: 'that back,되돌려,돌려놔',
  examples: ['undo my-llm'],
  fields: { endpoint: endpointName() },
  deed: 'undo',
})
