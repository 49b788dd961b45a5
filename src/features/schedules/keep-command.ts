import {
  alreadyOver,
  type ChangeContext,
  type Changing,
  defineChange,
  type Inverse,
  replaced,
  type Undoing,
} from '../../core/commands/define.ts'
import { choice, endpointName, optional, reasonText, synonyms } from '../../core/commands/fields.ts'
import { everything } from '../../core/commands/near.ts'
import { endIn } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { lengthOfTime, when } from '../../core/commands/time-fields.ts'
import { idleRuleOf } from '../../core/model/automation.ts'
import { keyOf, recordOn } from '../../core/model/records.ts'
import { type Hold, isByHand, isCutShort, type Keeper, otherKeepers, pauseUnder } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { readWhen, stillAhead } from '../../core/time/parse-when.ts'
import { allPaused, appliesAgain, automationOn, pausedNow } from '../safeguards/freeze.ts'
import { nextChange } from './rules/coming.ts'
import { stopText } from './rules/describe.ts'
import { desired } from './rules/desired-state.ts'
import { lineAgain } from './schedule-command.ts'

/** How many others a hold remembers: those whose holds end last. */
const mostKeepers = 5

export const keep = defineChange({
  name: 'keep',
  also: ['일시중지'],
  hints: `${allPaused},never start,never stop,never idle,more hour,more hours,more time,leave,pause,skip,extend,postpone,delay,put off,move stop,일시,미뤄,연기,연장,늦춰,그대로,유지`,
  examples: ['keep my-llm 2h', 'keep my-llm until tomorrow 09:00', 'keep my-llm tonight'],
  fields: {
    endpoint: endpointName(),
    for: optional(lengthOfTime('pauseFor', 'for')),
    // `off` is for older lines and for programs.
    off: {
      ...optional(choice('hold', ['tonight', 'off'], synonyms('tonight', 'overnight', '오늘밤', '오늘 밤'))),
      of: ['tonight'],
      also: { off: 'off' },
      hint: '[tonight]',
      span: ([first, second]) => (first === '오늘' && second === '밤' ? 2 : 1),
    },
    until: optional(when('endTime', 'until', 'tomorrow 09:00')),
    because: optional(reasonText()),
  },
  current: pausedNow,
  // Somebody else may rely on the hold.
  impact: (values, context) => (cutShort(values, context) === '' ? 'reversible' : 'disruptive'),
  nonsense: ({ off, for: length, until }) =>
    [off, length, until].filter((one) => one !== undefined).length !== 1 && {
      says: say('keep.length'),
      example: 'keep my-llm 2h',
      field: length === undefined ? 'for' : 'until',
    },
  meant: ({ endpoint, off, for: length, until }, more) => {
    const on = writeWord(endpoint)
    const end = length ?? until
    if (everything.test(endpoint) && off !== 'off') return [end === undefined ? 'freeze' : `freeze until ${end}`]
    if (off !== 'off') return []
    // A stop has no end.
    return more === true || end !== undefined
      ? [`stop ${on}`, ['keep', on, ...(until === undefined ? [] : ['until', until])].join(' ')]
      : [`resume ${on}`, `stop ${on}`]
  },
  change: (values, context) => {
    if (values.off === 'off') return endOfHold(context)
    const { endpoint, by, at, id, bounds } = context
    const { id: on = '' } = endpoint ?? {}
    const end = endOf(values, context)
    if ('wrong' in end) return end
    if (end.at - at > bounds.keep) return { wrong: say('keep.most', { most: { lasting: bounds.keep } }) }
    const before = recordOn(context.records, 'hold', on)
    // A shorter pause would stop or start again what somebody started or stopped by hand.
    if (before !== undefined && isByHand(before) && isCutShort(before, end.at))
      return { wrong: say('keep.already', { name: endpoint?.name ?? '', until: { at: before.until } }), holds: true }
    const also = keepersIn(context)
      .filter((one) => one.until > at && !isCutShort(one, end.at))
      .slice(0, mostKeepers)
    const pause: Hold = { kind: 'hold', id, endpoint: on, at, until: end.at, by, ...(also.length > 0 && { also }) }
    const hold = heldBefore(context) ?? pause
    const scaled = endpoint?.autoscaled === true ? say('keep.scaled') : ''
    const free = hasRules(context) ? '' : say('keep.offFree')
    const isShorter = before !== undefined && at < before.until && isCutShort(before, end.at)
    const shorter = cutShort(values, context) || (isShorter ? say('keep.shorter', { until: { at: before.until } }) : '')
    return { change: { put: [hold] }, means: [free, stopAfter(hold, context), scaled, shorter] }
  },
  inverse: (undoing) => {
    if (undoing.values.off === 'off') return holdAgain(undoing)
    return lineAgain('hold', undoing) ?? { line: undoing.write('resume', { endpoint: undoing.request.endpoint?.id }) }
  },
  phrase: ({ off }, change) => (off === 'off' ? 'keepOff' : { key: 'keep', with: endIn(change) }),
})

export const resume = defineChange({
  name: 'resume',
  also: ['재개'],
  hints: `${automationOn},unpause,stop pausing`,
  examples: ['resume my-llm'],
  fields: { endpoint: endpointName(), because: optional(reasonText()) },
  current: pausedNow,
  meant: ({ endpoint }) => (everything.test(endpoint) ? ['thaw'] : []),
  impact: (_, context) => (cutShort(ended, context) === '' ? 'reversible' : 'disruptive'),
  change: (_, context) => endOfHold(context),
  inverse: holdAgain,
  phrase: () => 'keepOff',
})

/** Whether a schedule or an idle stop decides about the endpoint once it is no longer held. */
function hasRules({ endpoint, records, automation, rules, at }: ChangeContext): boolean {
  if (endpoint === undefined || rules === undefined || idleRuleOf(records, { automation }, endpoint) !== null)
    return true
  const free = { ...rules, holds: [], freeze: null }
  return desired(free, at).by.kind !== 'nothing' || nextChange(free, at) !== null
}

type Ends = Readonly<Record<'off' | 'for' | 'until', string | undefined>>
const ended: Ends = { off: 'off', for: undefined, until: undefined }

function endOfHold(context: ChangeContext): Changing {
  const { endpoint, records, at, automation, rules } = context
  const { id = '', name = '' } = endpoint ?? {}
  // An expired hold stays stored while a decision begins at its end.
  const hold = recordOn(records, 'hold', id)
  if (hold === undefined || hold.until <= at) return { wrong: say('keep.notKept', { name }), holds: true }
  const hasOnly = rules?.weekly.length === 0 && endpoint && idleRuleOf(records, { automation }, endpoint) === null
  const free = rules && endpoint?.active === true ? { ...rules, holds: [] } : null
  const stop = free && (hasOnly || desired(free, at).want === 'down') ? stopText(free, name, at, automation.notice) : ''
  const again = hasRules(context) ? appliesAgain(name, records, at) : say('keep.offFree')
  return { change: { drop: [keyOf(hold)] }, means: [(hasOnly && stop) || [again, stop], cutShort(ended, context)] }
}

/** Returns the pause that an undo restores: it belongs to the people who had it, not to the person who undoes. */
function heldBefore({ undone, id, at }: ChangeContext): Hold | null {
  const before = undone && replaced(undone, 'hold')
  return before === undefined || isByHand(before) ? null : pauseUnder(before, { id, at })
}

function holdAgain(undoing: Omit<Undoing, 'values'>): Inverse {
  const line = `keep ${writeWord(undoing.request.endpoint?.name ?? '')} 2h`
  return lineAgain('hold', undoing) ?? { why: [alreadyOver, say('keep.again', { line })] }
}

function endOf({ off, for: length, until }: Ends, { at, now, zone }: ChangeContext): ReturnType<typeof readWhen> {
  return stillAhead(readWhen(off === 'tonight' ? 'overnight' : (length ?? until ?? ''), at, zone), now)
}

/** Names the stop that a hold puts off by a minute or more, or that comes after it but that a longer one would put off, or ''. */
function stopAfter(hold: Hold, { rules, at, bounds, endpoint }: ChangeContext): Words {
  if (rules === undefined) return ''
  const [planned, left] = [nextChange({ ...rules, holds: [] }, at), nextChange({ ...rules, holds: [hold] }, at)]
  if (planned?.want === 'down' && hold.until - planned.at >= 60_000 && left?.want === 'down' && endpoint?.active)
    return say('keep.stopMoved', { planned: { at: planned.at }, at: { at: left.at } })
  const next = nextChange({ ...rules, holds: [hold] }, hold.until)
  return next?.want !== 'down' || next.at - at > bounds.keep ? '' : say('keep.stopStays', { at: { at: next.at } })
}

/** Names the hold of somebody else that would be cut short; of several, the one that ends last. '' if there is none. */
function cutShort(values: Ends, context: ChangeContext): Words {
  const end = values.off === 'off' ? context : endOf(values, context)
  const cut = 'at' in end ? keepersIn(context).find((one) => isCutShort(one, end.at)) : undefined
  return cut === undefined ? '' : say('keep.cuts', { by: { person: cut.by }, until: { at: cut.until } })
}

/** Also after an undo: a hold by hand that it brings back was not asked for, but a pause before it may have been. */
function keepersIn({ endpoint, records, by, undone }: ChangeContext): readonly Keeper[] {
  const hold = recordOn(records, 'hold', endpoint?.id ?? '') ?? (undone && replaced(undone, 'hold'))
  return hold === undefined ? [] : otherKeepers(hold, by)
}
