import { lasting } from '../domain/duration.ts'
import { instant } from '../domain/instant.ts'
import { holdKey } from '../domain/records.ts'
import { readWhen } from '../domain/when.ts'
import { defineChange } from './define.ts'
import { choice, optional, text } from './field.ts'
import { endpointName } from './naming-fields.ts'
import { lengthOfTime, when } from './time-fields.ts'

export const keep = defineChange({
  name: 'keep',
  summary: 'Keep an endpoint as it is for a while: nothing stops or starts it by itself.',
  examples: ['keep my-llm 2h', 'keep my-llm until tomorrow 09:00', 'keep my-llm off'],
  fields: {
    endpoint: endpointName(),
    off: optional(choice('End it', ['off'])),
    for: optional(lengthOfTime('For', 'for')),
    until: optional(when('Until', 'until', 'tomorrow 09:00')),
    because: optional(text('Because', 'because')),
  },
  impact: () => 'reversible',
  nonsense: ({ off, for: length, until }) =>
    [off, length, until].filter((one) => one !== undefined).length !== 1 &&
    'Say for how long, or until when, for example: keep my-llm 2h',
  change: ({ off, for: length, until }, { endpoint, records, by, at, zone, id, bounds }) => {
    const on = endpoint?.id ?? ''
    if (off !== undefined) {
      // The end of one that is over may still be the beginning of what decides now.
      const hold = records.get(holdKey(on))
      return hold?.kind === 'hold' && hold.until > at
        ? { change: { drop: [holdKey(on)] }, means: 'Its rules decide about it again.' }
        : { wrong: 'It is not kept any more; its rules decide about it.' }
    }
    const end = readWhen(length ?? until ?? '', at, zone)
    if ('wrong' in end) return end
    if (end.at - at > bounds.keep)
      return { wrong: `The policy lets an endpoint be kept for ${lasting(bounds.keep)} at most (bounds.keep).` }
    return {
      change: { put: [{ kind: 'hold', id, endpoint: on, at, until: end.at, by }] },
      means: `Nothing stops or starts it by itself until ${instant(end.at)}.`,
    }
  },
  words: {
    ask: 'Keep',
    doing: 'Keeping',
    done: 'Kept',
    leave: 'Let its rules decide',
    instead: ({ off }) =>
      off === undefined
        ? null
        : { ask: 'Let go of', doing: 'Letting go of', done: 'Let go of', leave: 'Keep it as it is' },
  },
})
