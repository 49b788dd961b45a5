import { ruleKey } from '../domain/records.ts'
import { weeklyText } from '../domain/rules.ts'
import { defineChange } from './define.ts'
import { choice, optional, text } from './field.ts'
import { endpointName } from './naming-fields.ts'

export const unschedule = defineChange({
  name: 'unschedule',
  summary: 'Take the rules of an endpoint away, all of them or those for up or down.',
  examples: ['unschedule my-llm', 'unschedule my-llm down'],
  fields: {
    endpoint: endpointName(),
    direction: optional(choice('Direction', ['up', 'down'])),
    because: optional(text('Because', 'because')),
  },
  safe: true,
  impact: () => 'reversible',
  change: ({ direction }, { endpoint, records }) => {
    const own = [...records.values()].filter(
      (one) => (one.kind === 'weekly' || one.kind === 'once') && one.endpoint === endpoint?.id,
    )
    const meant = own.filter((one) =>
      one.kind === 'weekly'
        ? direction === undefined || one.direction === direction
        : one.kind === 'once' && (direction === undefined || one.want === direction),
    )
    if (meant.length === 0)
      return { wrong: direction === undefined ? 'It has no rules of its own.' : `It has no rule for ${direction}.` }
    const texts = meant.map((one) => (one.kind === 'weekly' ? weeklyText(one) : 'a one-off'))
    return {
      change: { drop: meant.flatMap((one) => (one.kind === 'weekly' || one.kind === 'once' ? [ruleKey(one.id)] : [])) },
      means: `Taken away: ${texts.join('; ')}.`,
    }
  },
  words: { ask: 'Unschedule', doing: 'Unscheduling', done: 'Unscheduled', leave: 'Leave its rules' },
})
