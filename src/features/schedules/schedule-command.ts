import { type ChangeContext, defineChange } from '../../core/commands/define.ts'
import { choice, endpointName, optional, text } from '../../core/commands/fields.ts'
import { window, zone } from '../../core/commands/time-fields.ts'
import { recordOn } from '../../core/model/records.ts'
import { type WeeklyRule, weeklyText } from '../../core/model/rules.ts'
import { readWindow } from '../../core/time/weekly-window.ts'
import { takeRuleAway } from './rule-lines.ts'
import { clash } from './rules/conflicts.ts'

export const schedule = defineChange({
  name: 'schedule',
  summary: 'Keep an endpoint up, or down, in times of the week; people are told before each stop.',
  examples: ['schedule my-llm up weekdays 09:00-20:00 Asia/Seoul', 'schedule my-llm down sat-sun'],
  fields: {
    endpoint: endpointName(),
    direction: choice('Direction', ['up', 'down']),
    window: window(),
    zone: optional(zone()),
    autoscaled: optional({ ...choice('Even when autoscaled', ['yes']), key: 'autoscaled', hint: 'autoscaled=yes' }),
    because: optional(text('Because', 'because')),
  },
  // An `up` rule stops the endpoint outside its times.
  impact: () => 'disruptive',
  change: (values, ground) => {
    const read = readWindow(values.window)
    if ('wrong' in read) return read
    const { endpoint, by, at, id, records, automation } = ground
    const fault = noStopping(ground)
    if (fault !== null || endpoint === undefined) return { wrong: fault ?? '' }
    if (endpoint.autoscaled === true && values.autoscaled === undefined) return { wrong: leftToPlatform }
    const rule: WeeklyRule = {
      kind: 'weekly',
      id,
      endpoint: endpoint.id,
      direction: values.direction,
      window: read.window,
      zone: values.zone ?? automation.zone ?? ground.zone,
      owner: by,
      made: at,
      ...(values.autoscaled === 'yes' && { autoscaled: true }),
    }
    const others = [...records.values()].filter((one) => one.kind === 'weekly')
    // Typing a rule again takes it over from its owner.
    const same = others.find((one) => one.endpoint === endpoint.id && weeklyText(one) === weeklyText(rule))
    const ownOthers = others.filter((one) => one.endpoint === endpoint.id && one !== same)
    const contradiction = clash(ownOthers, rule)
    if (contradiction !== null) return { wrong: contradiction }
    if (same !== undefined && same.owner.user === by.user) return { wrong: 'It has this rule already.' }
    const kept = same === undefined ? rule : { ...same, owner: by }
    const means = `The rule: ${weeklyText(kept)}${amongOthers(values.direction, ownOthers)}.`
    return { change: { put: [kept] }, means }
  },
  inverse: takeRuleAway,
  words: {
    ask: 'Schedule',
    doing: 'Scheduling',
    done: 'Scheduled',
    leave: 'Leave it as it is',
    submit: 'Preview',
    what: ({ direction, window: times, zone: typed }, change) => {
      const made = change?.put?.find((one) => one.kind === 'weekly')
      return [direction, times, typed ?? made?.zone].filter((part) => part !== undefined).join(' ')
    },
  },
})

const leftToPlatform =
  'The platform scales it by itself and is left to that. To stop and start it all the same, add autoscaled=yes.'

/** The end of the sentence about a rule: what holds outside its times. */
function amongOthers(direction: WeeklyRule['direction'], others: readonly WeeklyRule[]): string {
  const texts = others.filter((one) => direction === 'down' || one.direction === 'up').map(weeklyText)
  if (direction === 'up')
    return `${texts.length === 0 ? '' : `, together with ${texts.join('; ')}`}; down at all other times`
  return texts.length === 0
    ? '; left as it is at all other times'
    : `; at all other times its other rules decide: ${texts.join('; ')}`
}

/** Why the endpoint may have no rule that stops it; null if it may. */
export function noStopping(ground: ChangeContext): string | null {
  const { endpoint, protectedBy, records, operationsChannel } = ground
  if (endpoint === undefined) return 'Say which endpoint.'
  if (protectedBy !== null || recordOn(records, 'protection', endpoint.id) !== undefined)
    return 'It is protected, so nothing may stop it by itself. Take the protection away first, with unprotect.'
  if (!operationsChannel)
    return 'Nobody could be told before it stops: set operations_channel in lamplighter.yaml first.'
  return null
}
