import { instant } from '../domain/instant.ts'
import { freezeAt, lockdownIn } from '../domain/records.ts'
import { readWhen } from '../domain/when.ts'
import { defineChange } from './define.ts'
import { optional, text } from './field.ts'
import { replaced } from './take-back.ts'
import { when } from './time-fields.ts'

export const freeze = defineChange({
  name: 'freeze',
  summary: 'Pause all automation of the project: nothing starts or stops by itself.',
  examples: ['freeze because="release week"', 'freeze until fri 18:00 because="release week"'],
  fields: { until: optional(when('Until', 'until', 'fri 18:00')), because: text('Because', 'because') },
  safe: true,
  impact: () => 'reversible',
  change: ({ until, because }, { records, by, at, zone }) => {
    const end = until === undefined ? { at: null } : readWhen(until, at, zone)
    if ('wrong' in end) return end
    const now = freezeAt(records, at)
    // A shorter freeze would loosen the one that holds.
    if (now !== null && (now.until === null || (end.at !== null && end.at <= now.until)))
      return {
        wrong: `Automation is frozen already, ${untilText(now.until)}${now.because === undefined ? '' : ` (“${now.because}”)`}. thaw ends that${now.until === null ? '' : ', a later end makes it longer'}; schedules says whose it is.`,
      }
    const people =
      lockdownIn(records) === null ? 'what people ask for is still done' : 'all changes are stopped as well'
    return {
      change: { put: [{ kind: 'freeze', by, at, until: end.at, because }] },
      means: `Nothing starts or stops by itself ${untilText(end.at)}; ${people}.`,
    }
  },
  opposite: 'thaw',
  inverse: ({ request, now, write }) => {
    const until = replaced(request, 'freeze')?.until ?? 0
    if (until <= now) return { line: write('thaw', {}) }
    return { why: `Automation was frozen before it as well, until ${instant(until)}. thaw ends all of it.` }
  },
  words: {
    ask: 'Freeze automation',
    doing: 'Freezing automation',
    done: 'Froze automation',
    leave: 'Leave it as it is',
  },
})

function untilText(until: number | null): string {
  return until === null ? 'until somebody thaws it' : `until ${instant(until)}`
}
