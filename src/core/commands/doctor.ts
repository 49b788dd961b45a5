import { say } from '../model/words.ts'
import { defineQuery } from './define.ts'

export const doctor = defineQuery({
  name: 'doctor',
  also: ['점검'],
  examples: ['doctor'],
  fields: {},
  own: 'doctor',
  evenFull: true,
  show: (checks) => {
    const bad = checks.filter(({ well }) => !well).length
    return {
      title: say('doctor.title', { bad }),
      items: checks.map(({ well, name, says }) => ({
        text: say(well ? 'doctor.well' : 'doctor.bad', { name }),
        detail: says,
      })),
    }
  },
})
