import { defineChange, type Ground } from '../../core/commands/define.ts'
import { choice, endpointName, optional, text } from '../../core/commands/fields.ts'
import { window, zone } from '../../core/commands/time-fields.ts'
import { protectionOf } from '../../core/model/records.ts'
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
  // Up in some times is down in all others, so either may stop it.
  impact: () => 'disruptive',
  change: (values, ground) => {
    const read = readWindow(values.window)
    if ('wrong' in read) return read
    const { endpoint, by, at, id, records, automation } = ground
    const fault = noStopping(ground) ?? autoscaledFault(ground, values.autoscaled)
    if (fault !== null || endpoint === undefined) return { wrong: fault ?? '' }
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
    // The same rule again is how somebody takes it over from an owner who is gone.
    const mine = others.find((one) => one.endpoint === endpoint.id && weeklyText(one) === weeklyText(rule))
    const contradiction = clash(
      others.filter((one) => one !== mine),
      rule,
    )
    if (contradiction !== null) return { wrong: contradiction }
    if (mine !== undefined && mine.owner.user === by.user) return { wrong: 'It has this rule already.' }
    const kept = mine === undefined ? rule : { ...mine, owner: by }
    const beside = others.filter((one) => one.endpoint === endpoint.id && one !== mine)
    return { change: { put: [kept] }, means: `The rule: ${weeklyText(kept)}${amongOthers(values.direction, beside)}.` }
  },
  inverse: takeRuleAway,
  words: {
    ask: 'Schedule',
    doing: 'Scheduling',
    done: 'Scheduled',
    leave: 'Leave it as it is',
    submit: 'Preview',
    // The clocks it goes by may be those of the team, or of whoever asks.
    what: ({ direction, window: times, zone: typed }, change) => {
      const made = change?.put?.find((one) => one.kind === 'weekly')
      return [direction, times, typed ?? made?.zone].filter((part) => part !== undefined).join(' ')
    },
  },
})

/** What holds outside of its times, with the endpoint's other rules: windows add up. */
function amongOthers(direction: WeeklyRule['direction'], others: readonly WeeklyRule[]): string {
  const texts = others.filter((one) => direction === 'down' || one.direction === 'up').map(weeklyText)
  if (direction === 'up')
    return `${texts.length === 0 ? '' : `, together with ${texts.join('; ')}`}; down at all other times`
  return texts.length === 0
    ? '; left as it is at all other times'
    : `; at all other times its other rules decide: ${texts.join('; ')}`
}

function autoscaledFault({ endpoint }: Ground, even: 'yes' | undefined): string | null {
  return endpoint?.autoscaled === true && even === undefined
    ? 'The platform scales it by itself and is left to that. To stop and start it all the same, add autoscaled=yes.'
    : null
}

/** Why no rule may be laid down here that will stop the endpoint at some time; or null. */
export function noStopping(ground: Ground): string | null {
  const { endpoint, protectedBy, records, operationsChannel } = ground
  if (endpoint === undefined) return 'Say which endpoint.'
  if (protectedBy !== null || protectionOf(records, endpoint.id) !== null)
    return 'It is protected, so nothing may stop it by itself. Take the protection away first, with unprotect.'
  if (!operationsChannel)
    return 'Nobody could be told before it stops: set operations_channel in lamplighter.yaml first.'
  return null
}
