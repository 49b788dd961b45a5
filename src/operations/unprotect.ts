import { protectionKey, protectionOf } from '../domain/records.ts'
import { defineChange } from './define.ts'
import { optional, text } from './field.ts'
import { endpointName } from './naming-fields.ts'
import { replaced } from './take-back.ts'

export const unprotect = defineChange({
  name: 'unprotect',
  summary: 'Take the protection of an endpoint away; it takes an approval.',
  examples: ['unprotect my-llm', 'unprotect my-llm because="it is retired"'],
  fields: { endpoint: endpointName(), because: optional(text('Because', 'because')) },
  impact: () => 'loosening',
  change: (_, { endpoint, protectedBy, records }) => {
    const { id = '' } = endpoint ?? {}
    if (protectionOf(records, id) !== null)
      return {
        change: { drop: [protectionKey(id)] },
        means: protectedBy === null ? '' : `The policy file still protects it, by ${protectedBy}.`,
      }
    return {
      wrong:
        protectedBy === null
          ? 'It is not protected.'
          : `The policy file protects it, by ${protectedBy}: only a change of that file takes it away.`,
    }
  },
  inverse: ({ request, write }) => ({
    line: write('protect', { endpoint: request.endpoint?.id, because: replaced(request, 'protection')?.because }),
  }),
  words: { ask: 'Unprotect', doing: 'Unprotecting', done: 'Unprotected', leave: 'Leave it protected' },
})
