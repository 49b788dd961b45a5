import { type ChangeContext, defineChange, type Inverse, type Undoing } from '../../core/commands/define.ts'
import { choice, endpointName, optional, reasonText, synonyms, type WriteLine } from '../../core/commands/fields.ts'
import { window, zone } from '../../core/commands/time-fields.ts'
import { type IdleRule, isRule, protectorText, recordOn } from '../../core/model/records.ts'
import { type Hold, keepersOf, type OneOff, type WeeklyRule, weeklyName, weeklyText } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { inLine, spanText } from '../../core/time/format.ts'
import { readWindow, windowText } from '../../core/time/weekly-window.ts'
import { placeOfZone } from '../../core/time/zone.ts'
import { nextChange } from './rules/coming.ts'
import { clash, otherTimes } from './rules/describe.ts'

export const onOrOff = {
  ...synonyms('up', 'on', '실행', '시작', '켜기'),
  ...synonyms('down', 'off', '중지', '끄기'),
}

export const schedule = defineChange({
  name: 'schedule',
  also: ['일정', '스케줄'],
  hints:
    'at night,nights,nightly,daily,every,evenings,mornings,weekdays,weekends,work hours,working hours,business hours,밤에,밤마다,밤 시부터,야간,매일,매주,평일,주말,저녁마다,아침마다,업무 시간,근무 시간',
  examples: [
    'schedule my-llm up weekdays 09:00-20:00',
    'schedule my-llm down daily 22:00-06:00',
    'schedule my-llm down weekends',
  ],
  fields: {
    endpoint: endpointName(),
    direction: choice('direction', ['up', 'down'], onOrOff),
    window: window(),
    zone: optional(zone()),
    autoscaled: optional({ ...choice('autoscaling', ['yes']), key: 'autoscaled', hint: 'autoscaled=yes' }),
    because: optional(reasonText()),
  },
  current: ({ endpoint: { id }, records }) => {
    const rules = [...records.values()].filter((one) => one.kind === 'weekly').filter((one) => one.endpoint === id)
    const [rule, ...others] = rules
    if (rule === undefined) return {}
    // Rules add up, so their times are shown beside the field.
    const beside = { window: say('form.now', { value: { all: rules.map(weeklyName) } }) }
    const fills = { direction: rule.direction, zone: rule.zone, autoscaled: yesIf(rule.autoscaled) }
    return others.length > 0 ? { beside } : { beside, fills }
  },
  // An `up` rule stops the endpoint outside its times.
  impact: () => 'disruptive',
  change: (values, context) => {
    const read = readWindow(values.window)
    if ('wrong' in read) return read
    const { endpoint, by, at, id, records, automation } = context
    const fault = noStopping(context)
    if (fault !== null || endpoint === undefined) return { wrong: fault ?? say('schedule.which') }
    if (endpoint.autoscaled === true && values.autoscaled === undefined)
      return { wrong: say('schedule.autoscaled', { name: endpoint.name }), field: 'autoscaled' }
    const rule: WeeklyRule = {
      kind: 'weekly',
      id,
      endpoint: endpoint.id,
      direction: values.direction,
      window: read.window,
      zone: values.zone ?? automation.zone ?? context.zone,
      owner: by,
      made: at,
      ...(values.autoscaled === 'yes' && { autoscaled: true }),
    }
    const others = [...records.values()].filter((one) => one.kind === 'weekly')
    // A person who types an existing rule takes it over from its owner.
    const same = others.find((one) => one.endpoint === endpoint.id && weeklyText(one) === weeklyText(rule))
    const ownOthers = others.filter((one) => one.endpoint === endpoint.id && one !== same)
    const contradiction = clash(ownOthers, rule)
    if (contradiction !== null) return { wrong: contradiction }
    if (same !== undefined && same.owner.user === by.user && same.autoscaled === (rule.autoscaled ?? same.autoscaled))
      return { wrong: say('schedule.known', { name: endpoint.name }), holds: true }
    const times = otherTimes(endpoint.name, rule, { own: ownOthers, all: context.rules?.weekly ?? [] })
    if (same === undefined) return { change: { put: [rule] }, means: times }
    const kept = { ...same, owner: by, ...(rule.autoscaled && { autoscaled: rule.autoscaled }) }
    const owners = say('schedule.takenOver', { from: { person: same.owner }, by: { person: by } })
    return { change: { put: [kept] }, means: same.owner.user === by.user ? times : [owners, times] }
  },
  inverse: takeRuleAway,
  phrase: ({ direction, window: times, zone: typed }, change) => {
    const made = change?.put?.find((one) => one.kind === 'weekly')
    const zoned = typed ?? made?.zone
    const place = zoned === undefined ? 'none' : placeOfZone(zoned)
    return { key: 'schedule', with: { rule: say('schedule.to', { direction, times, place }) } }
  },
})

/** Says that the endpoint's rules already stop it at that instant (ms); null if they do not. */
export function stopsAlready({ endpoint, rules, at: now }: ChangeContext, at: number) {
  const next = rules === undefined || endpoint?.active !== true ? null : nextChange(rules, now)
  const isPlanned = rules?.once.some((one) => one.want === 'down' && one.at === at)
  if (!isPlanned && (next?.want !== 'down' || next.at !== at)) return null
  return { wrong: say('schedule.stopsAlready', { name: endpoint?.name ?? '', at: { at } }), holds: true } as const
}

/** Returns a hold by hand that ends at `end` (ms), or with the last pause that people asked for before it. */
export function endedBy(hold: Hold, end: number): Hold {
  return { ...hold, until: Math.min(hold.until, Math.max(end, ...keepersOf(hold).map(({ until }) => until))) }
}

/** Says why the endpoint may have no rule that stops it; null if it may. */
export function noStopping(context: ChangeContext): Words | null {
  const { endpoint: { id = '', name = '' } = {}, protectedBy, records, operationsChannel } = context
  if (protectedBy !== null) return say('schedule.guarded', { name, entry: protectedBy })
  const protection = recordOn(records, 'protection', id)
  if (protection !== undefined) return [say('schedule.protected', { name }), protectorText(protection)]
  return operationsChannel ? null : say('schedule.noChannel')
}

/** Returns the line with which a person makes this rule again; null for a team's rule, or a start without an end. */
export function lineForRule(rule: WeeklyRule | OneOff, write: WriteLine): string | null {
  const { endpoint } = rule
  if (endpoint === null) return null
  if (rule.kind === 'once') {
    if (rule.want === 'down') return write('stop', { endpoint, at: inLine(rule.at) })
    return rule.until === undefined ? null : write('start', { endpoint, until: inLine(rule.until) })
  }
  const { direction, window, zone, autoscaled } = rule
  return write('schedule', { endpoint, direction, window: windowText(window), zone, autoscaled: yesIf(autoscaled) })
}

/** Returns the line that makes this idle rule again, perhaps in another mode. */
export function lineForIdleRule(rule: IdleRule, write: WriteLine, mode = rule.mode): string {
  const { endpoint, after, warn, autoscaled } = rule
  if (mode === 'off') return write('idle', { endpoint, mode })
  const tries = mode === 'try' && { mode }
  const lengths = { after: spanText(after), warn: spanText(warn) }
  return write('idle', { endpoint, ...tries, ...lengths, autoscaled: yesIf(autoscaled) })
}

/** Returns the line that removes the one rule that a request made. */
function takeRuleAway({
  request: { change, replaced = [], endpoint },
  write,
}: Pick<Undoing, 'request' | 'write'>): Inverse {
  const made = change?.put?.find(isRule)
  if (made === undefined || endpoint === undefined) return { why: say('rule.notRemembered') }
  if (replaced.some((one) => 'id' in one && one.id === made.id)) return { why: say('rule.takenOver') }
  return { line: write('unschedule', { endpoint: endpoint.id, rule: made.id }) }
}

/** Returns the line with which the run, stop or pause that a request ended or replaced applies again; null without one. */
export function lineAgain(kind: 'once' | 'hold', undoing: Omit<Undoing, 'values'>): Inverse | null {
  const { request, now, write } = undoing
  const before = request.replaced?.flatMap((one) => {
    if ((one.kind !== 'once' && one.kind !== 'hold') || one.kind !== kind) return []
    const until = one.until ?? one.at
    const line =
      one.kind === 'once' ? lineForRule(one, write) : write('keep', { endpoint: one.endpoint, until: inLine(until) })
    return line === null || until - (until % 60_000) <= now ? [] : [{ line, until }]
  })
  // The endpoint was to stop at the first end.
  const [first] = before?.sort((a, b) => a.until - b.until) ?? []
  return first === undefined ? null : { line: first.line }
}

/** Returns the line that undoes a start or a stop, at once or at a time. */
export function undoneBy(opposite: 'start' | 'stop', undoing: Undoing): Inverse {
  const { request, write } = undoing
  const before = lineAgain('once', undoing)
  if (before !== null) return before
  return request.change ? takeRuleAway(undoing) : { line: write(opposite, { endpoint: request.endpoint?.id }) }
}

export function yesIf(is: boolean | undefined): 'yes' | undefined {
  return is === true ? 'yes' : undefined
}
