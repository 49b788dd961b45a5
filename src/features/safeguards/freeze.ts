import { alreadyOver, defineChange, replaced } from '../../core/commands/define.ts'
import { optional, text } from '../../core/commands/fields.ts'
import { when } from '../../core/commands/time-fields.ts'
import { endsLockdown, freezeAt, lockdownIn } from '../../core/model/records.ts'
import { includes } from '../../core/model/roles.ts'
import { inLine, instant } from '../../core/time/format.ts'
import { readWhen } from '../../core/time/parse-when.ts'

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
    // A shorter freeze would loosen the current one.
    if (now !== null && (now.until === null || (end.at !== null && end.at <= now.until)))
      return {
        wrong: `Automation is frozen already, ${freezeEnd(now.until)}${now.because === undefined ? '' : ` (“${now.because}”)`}. thaw ends that${now.until === null ? '' : ', a later end makes it longer'}; schedules says whose it is.`,
      }
    const people =
      lockdownIn(records) === null ? 'what people ask for is still done' : 'all changes are stopped as well'
    return {
      change: { put: [{ kind: 'freeze', by, at, until: end.at, because }] },
      means: `Nothing starts or stops by itself ${freezeEnd(end.at)}; ${people}.`,
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

export function freezeEnd(until: number | null): string {
  return until === null ? 'until somebody thaws it' : `until ${instant(until)}`
}

/** From then on the audit can be proven again. */
const acceptsText =
  ' Whoever ends the lockdown accepts that loss; what was asked before it and cannot be proven is ended.'

export const thaw = defineChange({
  name: 'thaw',
  summary: 'Let automation go on after a freeze, by an approval; an admin also ends a lockdown with it.',
  examples: ['thaw', 'thaw because="the release is out"'],
  fields: { because: optional(text('Because', 'because')) },
  safe: true,
  // Only an admin ends a lockdown, and confirms it whatever the matrix says (`lifecycle/planning/plan`).
  impact: (_, { records }) => (lockdownIn(records) === null ? 'loosening' : 'reversible'),
  change: (_, { records, role, at, loss }) => {
    const lockdown = lockdownIn(records)
    if (lockdown !== null && !includes(role, 'admin'))
      return { wrong: `All changes are stopped, and only an admin ends that: ${lockdown.why}` }
    const frozen = freezeAt(records, at)
    if (lockdown !== null) {
      const still = frozen === null ? '' : ' Automation stays frozen until it is thawed as well.'
      const { says = '', acknowledges } = loss ?? {}
      const change = { drop: ['lockdown'], ...(acknowledges && { acknowledges }) }
      return {
        change,
        means: `Changes can be asked for again.${still} ${says}${acknowledges === undefined ? '' : acceptsText}`.trim(),
      }
    }
    if (frozen === null) return { wrong: 'Automation is not frozen.' }
    return { change: { drop: ['freeze'] }, means: 'Schedules and the idle watch go on from here.' }
  },
  opposite: 'freeze',
  inverse: ({ request, now, write }) => {
    const before = replaced(request, 'freeze')
    if (before === undefined) return { why: 'A lockdown that an admin has ended is not laid down again.' }
    const { until, because = 'as before' } = before
    if (until !== null && until <= now) return { why: alreadyOver }
    return { line: write('freeze', { because, ...(until !== null && { until: inLine(until) }) }) }
  },
  words: {
    ask: 'Thaw automation',
    doing: 'Thawing automation',
    done: 'Thawed automation',
    leave: 'Leave it frozen',
    instead: (_, change) =>
      endsLockdown(change)
        ? {
            ask: 'End the lockdown',
            doing: 'Ending the lockdown',
            done: 'Ended the lockdown',
            leave: 'Leave all changes stopped',
          }
        : null,
  },
})
