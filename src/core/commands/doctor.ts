import { defineQuery } from './define.ts'

export const doctor = defineQuery({
  name: 'doctor',
  summary: 'Look over Slack, Redis, the platform key and the queue, with a remedy for each fault.',
  examples: ['doctor'],
  fields: {},
  own: 'doctor',
  evenFull: true,
  show: (checks) => {
    const bad = checks.filter(({ well }) => !well).length
    return {
      title: bad === 0 ? 'All is well' : bad === 1 ? 'One thing needs care' : `${bad} things need care`,
      items: checks.map(({ well, name, says }) => ({ text: `${well ? 'Well' : 'Care'}: ${name}`, detail: says })),
    }
  },
})
