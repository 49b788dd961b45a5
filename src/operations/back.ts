import { awayKey } from '../domain/records.ts'
import { standInBefore } from './away.ts'
import { defineChange } from './define.ts'

export const back = defineChange({
  name: 'back',
  summary: 'End your absence: nobody approves in your place any more.',
  examples: ['back'],
  fields: {},
  needs: () => 'viewer',
  safe: true,
  impact: () => 'reversible',
  change: (_, { by, records }) =>
    records.has(awayKey(by))
      ? { change: { drop: [awayKey(by)] }, means: 'Nobody approves in your place any more.' }
      : { wrong: 'Nobody stands in for you.' },
  opposite: 'away',
  inverse: (undoing) => standInBefore('back', undoing),
  words: { ask: 'Come back', doing: 'Coming back', done: 'Welcome back', leave: 'Stay away' },
})
