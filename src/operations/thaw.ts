import { includes } from '../domain/policy.ts'
import { type Acknowledged, endsLockdown, freezeAt, lockdownIn } from '../domain/records.ts'
import { inLine } from '../domain/when.ts'
import { defineChange } from './define.ts'
import { optional, text } from './field.ts'
import { overByNow, replaced } from './take-back.ts'

export const thaw = defineChange({
  name: 'thaw',
  summary: 'Let automation go on after a freeze, by an approval; an admin also ends a lockdown with it.',
  examples: ['thaw', 'thaw because="the release is out"'],
  fields: { because: optional(text('Because', 'because')) },
  safe: true,
  // A lockdown is ended by admins alone, and whatever the matrix says only with a second look (`lifecycle/change`).
  impact: (_, { records }) => (lockdownIn(records) === null ? 'loosening' : 'reversible'),
  change: (_, { records, role, at, damage }) => {
    const lockdown = lockdownIn(records)
    if (lockdown !== null && !includes(role, 'admin'))
      return { wrong: `All changes are stopped, and only an admin ends that: ${lockdown.why}` }
    const frozen = freezeAt(records, at)
    if (lockdown !== null) {
      const still = frozen === null ? '' : ' Automation stays frozen until it is thawed as well.'
      const { says = '', acknowledges } = damage ?? {}
      const change = { drop: ['lockdown'], ...(acknowledges && { acknowledges }) }
      return { change, means: `Changes can be asked for again.${still} ${says}${standsFor(acknowledges)}`.trim() }
    }
    if (frozen === null) return { wrong: 'Automation is not frozen.' }
    return { change: { drop: ['freeze'] }, means: 'Schedules and the idle watch go on from here.' }
  },
  opposite: 'freeze',
  inverse: ({ request, now, write }) => {
    const before = replaced(request, 'freeze')
    if (before === undefined) return { why: 'A lockdown that an admin has ended is not laid down again.' }
    const { until, because = 'as before' } = before
    if (until !== null && until <= now) return { why: overByNow }
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

/** Whoever ends it signs for it: from then on the audit can be proven behind the gaps again. */
function standsFor(acknowledges: Acknowledged | undefined): string {
  return (acknowledges?.gaps ?? []).length === 0
    ? ''
    : ' The audit goes on behind that, in the name of whoever ends the lockdown.'
}
