import { defineChange, replaced } from '../../core/commands/define.ts'
import { choice, endpointName, optional, reasonText } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { lengthOfTime } from '../../core/commands/time-fields.ts'
import { idleRuleOf } from '../../core/model/automation.ts'
import { type IdleRule, recordOn } from '../../core/model/records.ts'
import { say, type Words } from '../../core/model/words.ts'
import { spanOf, spanText } from '../../core/time/format.ts'
import { lineForIdleRule, noStopping, yesIf } from '../schedules/schedule-command.ts'
import { earlyRestartsOf, idleTimeOf } from './candidate.ts'

export const idle = defineChange({
  name: 'idle',
  also: ['유휴'],
  hints:
    'unused,nobody uses,nobody using,no one,not used,no traffic,never idle,idle stop,idle-stop,auto stop,auto-stop,자동 꺼짐,자동 종료,자동 중지,유휴 중지,유휴 정지,안 쓰,안 써,쓰지 않으면,노는',
  examples: [
    'idle my-llm after 60m',
    'idle my-llm try after 45m warn=15m',
    'idle my-llm after 60m autoscaled=yes',
    'idle my-llm off',
  ],
  fields: {
    endpoint: endpointName(),
    mode: { ...optional(choice('mode', ['on', 'try', 'off'])), begins: true, alone: 'off' },
    after: optional({ ...lengthOfTime('idleFor', 'after'), hint: 'after 60m', example: say('form.warn') }),
    warn: optional({ ...lengthOfTime('warnBefore', 'warn'), key: 'warn', hint: 'warn=10m', example: say('form.warn') }),
    autoscaled: optional({ ...choice('autoscaling', ['yes']), key: 'autoscaled', hint: 'autoscaled=yes' }),
    because: optional(reasonText()),
  },
  current: ({ endpoint, records, automation }) => {
    const usual = { mode: 'on', after: automation.idle.usual, warn: automation.notice, autoscaled: false } as const
    const rule = idleRuleOf(records, { automation }, endpoint) ?? recordOn(records, 'idle', endpoint.id) ?? usual
    const { mode, after, warn, autoscaled } = rule
    return { fills: { mode, after: spanText(after), warn: spanText(warn), autoscaled: yesIf(autoscaled) } }
  },
  // Only mode `on` leads to a stop.
  impact: ({ mode }) => (mode === 'off' || mode === 'try' ? 'reversible' : 'disruptive'),
  nonsense: ({ mode, after, warn, autoscaled }) => {
    if (mode === undefined && after === undefined)
      return { says: say('idle.length'), example: 'idle my-llm after 60m', field: 'after' }
    const more = Object.entries({ after, warn, autoscaled }).find(([, value]) => value !== undefined)
    if (mode !== 'off' || more === undefined) return false
    return { says: say('idle.offAlone'), example: 'idle my-llm off', field: more[0] }
  },
  change: ({ mode = 'on', after, warn, autoscaled }, context) => {
    const { endpoint, by, at, automation } = context
    const { usual, least, most } = automation.idle
    // An omitted field keeps its value, even if a form did not know the endpoint yet.
    const own = endpoint && recordOn(context.records, 'idle', endpoint.id)
    const current = endpoint === undefined ? null : idleRuleOf(context.records, { automation }, endpoint)
    const kept = current ?? own
    const length = spanOf(after ?? '') ?? kept?.after ?? usual
    const notice = spanOf(warn ?? '') ?? kept?.warn ?? automation.notice
    if (length < least || length > most)
      return { wrong: say('idle.bounds', { least: { lasting: least }, most: { lasting: most } }), field: 'after' }
    if (notice < 5 * 60_000 || notice > 120 * 60_000) return { wrong: say('idle.warning'), field: 'warn' }
    const fault = mode === 'off' ? null : noStopping(context)
    if (fault !== null || endpoint === undefined) return { wrong: fault ?? say('schedule.which') }
    const { name } = endpoint
    if (mode !== 'off' && endpoint.autoscaled === true && autoscaled === undefined)
      return { wrong: say('idle.autoscaled', { name }), field: 'autoscaled' }
    const settings = { mode, after: length, warn: notice, ...(autoscaled === 'yes' && { autoscaled: true }) }
    const rule: IdleRule = { kind: 'idle', endpoint: endpoint.id, ...settings, owner: by, at }
    if (mode === 'off') {
      if (current === null) return { wrong: say('idle.alreadyOff', { name }), holds: true }
      return { change: { put: [rule] }, means: say(current.mode === 'try' ? 'idle.tryOff' : 'idle.off', { name }) }
    }
    const inForce = idleTimeOf(rule, earlyRestartsOf(context.records, endpoint.id, at).length, most)
    const raised = inForce === length ? '' : say('idle.raised', { length: { lasting: inForce } })
    // A person who types another person's rule again takes it over; a rule of the policy file stays there.
    if (current !== null && (own ?? rule).owner.user === by.user && isLike(current, rule))
      return { wrong: [say('schedule.known', { name }), raised], holds: true }
    const values = { name, after: { lasting: length }, warn: { lasting: notice } }
    const means = [formerly(current, rule), say(mode === 'try' ? 'idle.try' : 'idle.on', values), raised]
    return { change: { put: [rule], ...(current?.mode === mode && { alters: true }) }, means }
  },
  inverse: ({ request, values, write }) => {
    const { id, name = '' } = request.endpoint ?? {}
    const rule = replaced(request, 'idle')
    if (rule !== undefined) return { line: lineForIdleRule(rule, write) }
    return values.mode === 'off'
      ? { why: say('idle.unknownBefore', { line: `idle ${writeWord(name)} after 60m` }) }
      : { line: write('idle', { endpoint: id, mode: 'off' }) }
  },
  phrase: ({ mode, after }, change) => {
    if (mode === 'off') return 'idleOff'
    if (change?.alters === true) return 'idleChange'
    if (mode === 'try') return { key: 'idleTry', with: { after: after ?? 'none' } }
    return after === undefined ? 'idle' : { key: 'idle', with: { after } }
  },
})

function formerly(before: IdleRule | null, rule: IdleRule): Words {
  if (before === null || isLike(before, rule)) return ''
  const { mode, after, warn } = before
  return say('idle.was', { mode, after: { lasting: after }, warn: { lasting: warn } })
}

export function isLike(one: IdleRule | undefined, other: IdleRule): boolean {
  return (['mode', 'after', 'warn', 'autoscaled'] as const).every((setting) => one?.[setting] === other[setting])
}
