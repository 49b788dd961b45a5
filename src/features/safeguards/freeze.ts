import { alreadyOver, defineChange, replaced } from '../../core/commands/define.ts'
import { optional, reasonText } from '../../core/commands/fields.ts'
import { endIn } from '../../core/commands/phrases.ts'
import { when } from '../../core/commands/time-fields.ts'
import type { Current, Remembered } from '../../core/model/current.ts'
import { endsLockdown, type Freeze, freezeAt, lockdownIn, type Records, recordOn } from '../../core/model/records.ts'
import { includes, isSame } from '../../core/model/roles.ts'
import { reasonIn, type Sentence, say, type Words } from '../../core/model/words.ts'
import { inLine } from '../../core/time/format.ts'
import { readWhen } from '../../core/time/parse-when.ts'

/** With an endpoint, these words mean a pause of that endpoint. */
export const allPaused =
  '자동화 멈,자동화 중지,자동화 정지,자동화 꺼,자동화 일시,얼려,pause automation,stop automation,disable automation,automation off,off automation'

/** Words that end a pause, of everything or of one endpoint. */
export const automationOn =
  '자동화 켜,자동화 재개,자동화 시작,동결 해제,동결 풀,never keep,never freeze,start automation,automation on'

export const freeze = defineChange({
  name: 'freeze',
  also: ['동결'],
  hints: `${allPaused},never all,pause all,pause everything,모두 일시,전부 일시`,
  examples: ['freeze reason="release week"', 'freeze until fri 18:00 reason="release week"'],
  fields: {
    until: optional({ ...when('endTime', 'until', 'fri 18:00'), example: say('form.noEnd') }),
    because: reasonText(),
  },
  current: ({ records, at }) => {
    const now = freezeAt(records, at)
    const fills = now?.until == null ? {} : { until: inLine(now.until) }
    return { now: freezeItems(now).map(({ text }) => text), fills }
  },
  safe: true,
  impact: () => 'reversible',
  change: ({ until, because }, { records, by, at, zone }) => {
    const end = until === undefined ? { at: null } : readWhen(until, at, zone)
    if ('wrong' in end) return end
    const now = freezeAt(records, at)
    // A shorter freeze would loosen the current one.
    if (now !== null && (now.until === null || (end.at !== null && end.at <= now.until)))
      return { wrong: say('freeze.already', valuesOf(now)), field: 'until' }
    const locked = lockdownIn(records) === null ? 'no' : 'yes'
    const means = say('freeze.means', { locked })
    // Whoever ends the longer pause sees only its reason.
    const isOthers = now !== null && !isSame(now.by, by)
    return {
      change: { put: [{ kind: 'freeze', by, at, until: end.at, because }] },
      means: isOthers ? [means, say('freeze.instead', valuesOf(now))] : means,
    }
  },
  phrase: (_, change) => ({ key: 'freeze', with: endIn(change) }),
  opposite: 'thaw',
  inverse: ({ request, now, write }) => {
    const until = replaced(request, 'freeze')?.until ?? 0
    if (until <= now) return { line: write('thaw', {}) }
    return { why: say('freeze.before', { until: { at: until } }) }
  },
})

/** Returns a row that says "Automation is paused by @ana until Fri at 18:00". */
export function freezeItems(freeze: Freeze | null = null): readonly { readonly text: Sentence }[] {
  return freeze === null ? [] : [{ text: say('schedules.frozen', valuesOf(freeze)) }]
}

function valuesOf({ by, until, because }: Freeze) {
  return { by: { person: by }, until: endValue(until), ...reasonIn(because) }
}

export interface Pause {
  readonly says: Words
  readonly endedBy: 'resume' | 'thaw'
}

/** Returns who paused automation, for this endpoint or for everything, and until when. */
export function pausesOf({ endpoint, records, at }: Pick<Remembered, 'endpoint' | 'records' | 'at'>): readonly Pause[] {
  const hold = recordOn(records, 'hold', endpoint.id)
  const isPause = hold !== undefined && hold.until > at && hold.by !== 'console' && hold.against !== true
  const own = isPause && say('rule.pausedBy', { by: { person: hold.by }, until: { at: hold.until } })
  return [
    ...(own === false ? [] : [{ says: own, endedBy: 'resume' as const }]),
    ...freezeItems(freezeAt(records, at)).map(({ text }) => ({ says: text, endedBy: 'thaw' as const })),
  ]
}

export function pausedNow(remembered: Remembered): Current {
  return { now: pausesOf(remembered).map(({ says }) => says) }
}

/** Returns a freeze's end as a value for sentences; `none` if it has no end. */
export function endValue(until: number | null): 'none' | { readonly at: number } {
  return until === null ? 'none' : { at: until }
}

/** Says when rules apply to an endpoint again after its own pause: now, or after a freeze. */
export function appliesAgain(name: string, records: Records, at: number): Sentence {
  const freeze = freezeAt(records, at)
  return freeze === null
    ? say('keep.off', { name })
    : say('freeze.appliesAgain', { name, until: endValue(freeze.until) })
}

export const thaw = defineChange({
  name: 'thaw',
  peopleOnly: true,
  also: ['unfreeze', '해제'],
  hints: `${automationOn},resume all,resume everything,resume automation,모두 재개,전부 재개`,
  examples: ['thaw', 'thaw reason="the release is out"'],
  fields: { because: optional(reasonText()) },
  safe: true,
  // Only an admin ends a lockdown, and confirms it whatever the matrix says (`fixedDecision`).
  impact: (_, { records }) => (lockdownIn(records) === null ? 'loosening' : 'reversible'),
  change: (_, { records, role, at, loss }) => {
    const lockdown = lockdownIn(records)
    if (lockdown !== null && !includes(role, 'admin')) return { wrong: say('thaw.adminOnly', { why: lockdown.why }) }
    const frozen = freezeAt(records, at)
    if (lockdown !== null) {
      const unlocks = say('thaw.unlocks', { frozen: frozen === null ? 'no' : 'yes' })
      const { says = '', acknowledges } = loss ?? {}
      const change = { drop: ['lockdown'], ...(acknowledges && { acknowledges }) }
      // After that the audit can be proven again.
      return { change, means: [unlocks, says, acknowledges === undefined ? '' : say('thaw.accepts')] }
    }
    if (frozen === null) return { wrong: say('thaw.notFrozen') }
    return { change: { drop: ['freeze'] }, means: say('thaw.means') }
  },
  opposite: 'freeze',
  inverse: ({ request, now, write }) => {
    const before = replaced(request, 'freeze')
    if (before === undefined) return { why: say('thaw.noLockdown') }
    const { until, because = 'as before' } = before
    if (until !== null && until <= now) return { why: alreadyOver }
    return { line: write('freeze', { because, ...(until !== null && { until: inLine(until) }) }) }
  },
  phrase: (_, change) => (endsLockdown(change) ? 'endLockdown' : 'thaw'),
})
