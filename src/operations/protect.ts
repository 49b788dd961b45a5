import { protectionOf } from '../domain/records.ts'
import { defineChange } from './define.ts'
import { optional, text } from './field.ts'
import { endpointName } from './naming-fields.ts'

export const protect = defineChange({
  name: 'protect',
  summary: 'Keep an endpoint from ever being stopped by itself; people need an approval to stop it.',
  examples: ['protect my-llm', 'protect my-llm because="customers use it"'],
  fields: { endpoint: endpointName(), because: optional(text('Because', 'because')) },
  safe: true,
  impact: () => 'reversible',
  change: ({ because }, { endpoint, protectedBy, records, by, at }) => {
    const { id = '' } = endpoint ?? {}
    if (protectedBy !== null) return { wrong: `The policy file protects it already, by ${protectedBy}.` }
    if (protectionOf(records, id) !== null) return { wrong: 'It is protected already.' }
    const put = { kind: 'protection', endpoint: id, by, at, ...(because !== undefined && { because }) } as const
    return { change: { put: [put] }, means: 'It is never stopped by itself; people need an approval to stop it.' }
  },
  inverse: ({ request: { endpoint }, write }) => ({ line: write('unprotect', { endpoint: endpoint?.id }) }),
  words: { ask: 'Protect', doing: 'Protecting', done: 'Protected', leave: 'Leave it as it is' },
})
