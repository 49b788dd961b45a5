import { alreadyOver, defineChange, type Inverse, replaced, type Undoing } from '../../core/commands/define.ts'
import { person } from '../../core/commands/fields.ts'
import { when } from '../../core/commands/time-fields.ts'
import { awayKey } from '../../core/model/records.ts'
import { isSame } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { inLine } from '../../core/time/format.ts'
import { readWhen, stillAhead } from '../../core/time/parse-when.ts'

export const away = defineChange({
  name: 'away',
  peopleOnly: true,
  also: ['위임'],
  hints: 'on vacation,휴가,승인 위임,승인 맡',
  examples: ['away until mon to @U0CLEO'],
  fields: { until: when('awayUntil', 'until', 'mon'), to: person('delegate', 'to') },
  current: ({ records, by, at }) => {
    const own = records.get(awayKey(by))
    const isOn = own?.kind === 'away' && own.until > at
    return isOn ? { now: say('away.now', { until: { at: own.until }, to: { person: own.to } }) } : {}
  },
  needs: () => 'approver',
  impact: () => 'reversible',
  change: ({ until, to }, { by, at, now, zone, bounds }) => {
    const end = stillAhead(readWhen(until, at, zone), now)
    if ('wrong' in end) return end
    if (end.at - at > bounds.away) return { wrong: say('away.tooLong', { most: { lasting: bounds.away } }) }
    const standIn = { team: by.team, user: to.slice(1) }
    if (standIn.user === by.user) return { wrong: say('away.self'), field: 'to' }
    return {
      change: { put: [{ kind: 'away', who: by, to: standIn, at, until: end.at }] },
      means: say('away.means', { until: { at: end.at } }),
    }
  },
  opposite: 'back',
  inverse: (undoing) => standInBefore('away', undoing),
})

/** Restores the delegate from before `away` or `back`, or nobody. Only the person who was away can do it. */
function standInBefore(name: string, { request, by, now, write }: Undoing): Inverse {
  if (!isSame(by, request.actor)) return { why: say('away.notYours', { verb: name }) }
  const before = replaced(request, 'away')
  if (before !== undefined && now < before.until)
    return { line: write('away', { until: inLine(before.until), to: `@${before.to.user}` }) }
  return request.change?.put === undefined ? { why: alreadyOver } : { line: write('back', {}) }
}

export const back = defineChange({
  name: 'back',
  peopleOnly: true,
  also: ['복귀'],
  examples: ['back'],
  fields: {},
  needs: () => 'viewer',
  safe: true,
  impact: () => 'reversible',
  change: (_, { by, records }) =>
    records.has(awayKey(by))
      ? { change: { drop: [awayKey(by)] }, means: say('back.means') }
      : { wrong: say('back.none') },
  opposite: 'away',
  inverse: (undoing) => standInBefore('back', undoing),
})
