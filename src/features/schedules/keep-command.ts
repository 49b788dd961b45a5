import { alreadyOver, type ChangeContext, defineChange, replaced } from '../../core/commands/define.ts'
import { choice, endpointName, type Field, optional, reasonText } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/parse.ts'
import { unstopped } from '../../core/commands/suggest.ts'
import { lengthOfTime, when } from '../../core/commands/time-fields.ts'
import { endpointKey, recordOn } from '../../core/model/records.ts'
import { type Hold, isCutShort, type Keeper, otherKeepers } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import { idleRuleOf } from '../../core/policy/idle-rule.ts'
import { inLine } from '../../core/time/format.ts'
import { readWhen } from '../../core/time/parse-when.ts'
import { allPaused } from '../safeguards/freeze.ts'
import { nextMorning } from '../savings/prices.ts'
import { nextChange } from './rules/describe.ts'
import { desired } from './rules/desired-state.ts'

/** A hold remembers so many others, those who end last. */
const mostKeepers = 5

export const keep = defineChange({
  name: 'keep',
  also: ['일시중지'],
  hints: [...unstopped, ...allPaused, 'leave', 'pause', '일시정지', '일시중지', '미뤄', '미루', '연기', '늦춰'],
  examples: ['keep my-llm 2h', 'keep my-llm until tomorrow 09:00', 'keep my-llm tonight', 'keep my-llm off'],
  fields: {
    endpoint: endpointName(),
    for: optional(pauseLength()),
    off: optional(choice('hold', ['tonight', 'off'])),
    until: optional(when('pauseUntil', 'until', 'tomorrow 09:00')),
    because: optional(reasonText()),
  },
  // Somebody else may rely on the hold.
  impact: (values, ground) => (lastCutShort(values, ground) === undefined ? 'reversible' : 'disruptive'),
  nonsense: ({ off, for: length, until }) =>
    [off, length, until].filter((one) => one !== undefined).length !== 1 && {
      says: say('keep.length'),
      example: 'keep my-llm 2h',
      field: length === undefined ? 'for' : 'until',
    },
  change: (values, ground) => {
    const { off } = values
    const { endpoint, records, by, at, id, bounds } = ground
    const { id: on = '', name = '' } = endpoint ?? {}
    const cut = lastCutShort(values, ground)
    const instead = cut === undefined ? '' : say('keep.cutShort', { until: { at: cut.until } })
    if (off === 'off') {
      // An expired hold stays while a decision begins at its end.
      const hold = recordOn(records, 'hold', on)
      return hold !== undefined && hold.until > at
        ? {
            change: { drop: [endpointKey('hold', on)] },
            means: [say(hasRules(ground) ? 'keep.off' : 'keep.offFree', { name }), instead],
          }
        : { wrong: say('keep.notKept', { name }), holds: true }
    }
    const end = endOf(values, ground)
    if ('wrong' in end) return end
    if (end.at - at > bounds.keep) return { wrong: say('keep.most', { most: { lasting: bounds.keep } }) }
    const also = keepersIn(ground)
      .filter((one) => one.until > at && !isCutShort(one, end.at))
      .slice(0, mostKeepers)
    const hold: Hold = { kind: 'hold', id, endpoint: on, at, until: end.at, by, ...(also.length > 0 && { also }) }
    const stop = stopAfter(hold, ground)
    const stays = stop === null ? '' : say('keep.stopStays', { at: { at: stop } })
    return {
      change: { put: [hold] },
      means: [say('keep.until', { name, until: { at: end.at } }), stays, instead],
    }
  },
  inverse: ({ request, values, now, write }) => {
    const { id, name = '' } = request.endpoint ?? {}
    // Rounded down to the minute that people saw.
    const until = Math.floor((replaced(request, 'hold')?.until ?? 0) / 60_000) * 60_000
    if (now < until) return { line: write('keep', { endpoint: id, until: inLine(until) }) }
    return values.off !== 'off'
      ? { line: write('keep', { endpoint: id, off: 'off' }) }
      : { why: [alreadyOver, say('keep.again', { line: `keep ${writeWord(name)} 2h` })] }
  },
  phrase: ({ off }) => (off === 'off' ? 'keepOff' : 'keep'),
})

/** Whether a schedule or an idle stop decides about it once nothing keeps it as it is. */
function hasRules({ endpoint, records, automation, rules, at }: ChangeContext): boolean {
  if (endpoint === undefined || rules === undefined || idleRuleOf(records, { automation }, endpoint) !== null)
    return true
  const free = { ...rules, holds: [], freeze: null }
  return desired(free, at).by !== 'nothing' || nextChange(free, at) !== null
}

type Ends = Readonly<Record<'off' | 'for' | 'until', string | undefined>>

/** When the hold ends; `tonight` is until the morning, as on the button of a notice. */
function endOf({ off, for: length, until }: Ends, { at, zone }: ChangeContext): ReturnType<typeof readWhen> {
  const morning = off === 'tonight' ? nextMorning(at, zone) : null
  return morning === null ? readWhen(length ?? until ?? '', at, zone) : { at: morning }
}

/** The stop (ms) that is announced by now and comes only after a hold; null if there is none. */
function stopAfter(hold: Hold, { rules, at, automation }: ChangeContext): number | null {
  const next = rules && nextChange({ ...rules, holds: [hold] }, hold.until)
  return next?.want === 'down' && next.at - automation.notice <= at ? next.at : null
}

/** A mistake in it says what else may stand there. */
function pauseLength(): Field<string> {
  const field = lengthOfTime('pauseFor', 'for')
  return {
    ...field,
    read: (word) => ('value' in field.read(word) ? field.read(word) : { wrong: say('keep.wrong', { word }) }),
  }
}

/** The keeper whose hold would be cut short and ends last. */
function lastCutShort(values: Ends, ground: ChangeContext): Keeper | undefined {
  const end = values.off === 'off' ? ground : endOf(values, ground)
  return 'at' in end ? keepersIn(ground).find((one) => isCutShort(one, end.at)) : undefined
}

function keepersIn({ endpoint, records, by }: ChangeContext): readonly Keeper[] {
  const hold = recordOn(records, 'hold', endpoint?.id ?? '')
  return hold === undefined ? [] : otherKeepers(hold, by)
}
