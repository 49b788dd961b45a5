import { alreadyOver, type ChangeContext, defineChange, replaced } from '../../core/commands/define.ts'
import { choice, endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/parse.ts'
import { lengthOfTime, when } from '../../core/commands/time-fields.ts'
import { endpointKey, recordOn } from '../../core/model/records.ts'
import { isCutShort, type Keeper, otherKeepers } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import { inLine } from '../../core/time/format.ts'
import { readWhen } from '../../core/time/parse-when.ts'

/** A hold remembers so many others, those who end last. */
const mostKeepers = 5

export const keep = defineChange({
  name: 'keep',
  also: ['일시중지'],
  examples: ['keep my-llm 2h', 'keep my-llm until tomorrow 09:00', 'keep my-llm off'],
  fields: {
    endpoint: endpointName(),
    off: optional(choice('hold', ['off'])),
    for: optional(lengthOfTime('pauseFor', 'for')),
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
    const { off, for: length, until } = values
    const { endpoint, records, by, at, zone, id, bounds } = ground
    const { id: on = '', name = '' } = endpoint ?? {}
    const cut = lastCutShort(values, ground)
    const instead = cut === undefined ? '' : say('keep.cutShort', { until: { at: cut.until } })
    if (off !== undefined) {
      // An expired hold stays while a decision begins at its end.
      const hold = recordOn(records, 'hold', on)
      return hold !== undefined && hold.until > at
        ? { change: { drop: [endpointKey('hold', on)] }, means: [say('keep.off', { name }), instead] }
        : { wrong: say('keep.notKept', { name }) }
    }
    const end = readWhen(length ?? until ?? '', at, zone)
    if ('wrong' in end) return end
    if (end.at - at > bounds.keep) return { wrong: say('keep.most', { most: { lasting: bounds.keep } }) }
    const also = keepersIn(ground)
      .filter((one) => one.until > at && !isCutShort(one, end.at))
      .slice(0, mostKeepers)
    return {
      change: { put: [{ kind: 'hold', id, endpoint: on, at, until: end.at, by, ...(also.length > 0 && { also }) }] },
      means: [say('keep.until', { name, until: { at: end.at } }), instead],
    }
  },
  inverse: ({ request, values, now, write }) => {
    const { id, name = '' } = request.endpoint ?? {}
    // Rounded down to the minute that people saw.
    const until = Math.floor((replaced(request, 'hold')?.until ?? 0) / 60_000) * 60_000
    if (now < until) return { line: write('keep', { endpoint: id, until: inLine(until) }) }
    return values.off === undefined
      ? { line: write('keep', { endpoint: id, off: 'off' }) }
      : { why: [alreadyOver, say('keep.again', { line: `keep ${writeWord(name)} 2h` })] }
  },
  phrase: ({ off }) => (off === undefined ? 'keep' : 'keepOff'),
})

/** The keeper whose hold would be cut short and ends last. */
function lastCutShort(
  { off, for: length, until }: Readonly<Record<'off' | 'for' | 'until', string | undefined>>,
  ground: ChangeContext,
): Keeper | undefined {
  const { at, zone } = ground
  const end = off === undefined ? readWhen(length ?? until ?? '', at, zone) : { at }
  return 'at' in end ? keepersIn(ground).find((one) => isCutShort(one, end.at)) : undefined
}

function keepersIn({ endpoint, records, by }: ChangeContext): readonly Keeper[] {
  const hold = recordOn(records, 'hold', endpoint?.id ?? '')
  return hold === undefined ? [] : otherKeepers(hold, by)
}
