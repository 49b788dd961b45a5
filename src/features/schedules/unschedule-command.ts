import { alreadyOver, type ChangeContext, defineChange, replaced, type Undoing } from '../../core/commands/define.ts'
import { choice, endpointName, matching, optional, reasonText, text } from '../../core/commands/fields.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { type Automation, fits } from '../../core/model/automation.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { QueryAnswer } from '../../core/model/query-answer.ts'
import { isRule, type Records, recordOn, ruleKey, type StoredRecord } from '../../core/model/records.ts'
import { type Hold, isByHand, keepersOf, type OneOff, ruleName, weeklyName } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { dayMs } from '../../core/time/calendar.ts'
import { desired } from './rules/desired-state.ts'
import { lineForRule, onOrOff } from './schedule-command.ts'

export const unschedule = defineChange({
  name: 'unschedule',
  also: ['일정삭제', '스케줄삭제'],
  hints:
    'never schedule,remove schedule,delete schedule,off schedule,stop schedule,일정 삭제,일정 지워,일정 없애,일정 취소,스케줄 삭제,스케줄 지워,스케줄 없애,스케줄 취소',
  examples: ['unschedule my-llm', 'unschedule my-llm down', 'unschedule my-llm rule=Tn3vQ8'],
  fields: {
    endpoint: endpointName(),
    direction: optional(choice('direction', ['up', 'down'], onOrOff)),
    rule: optional({
      ...text('rule', 'rule', 40),
      listed: true,
      hint: 'rule=…',
      read: matching(/^[\w-]{1,40}$/, (word) => say('unschedule.badRule', { word })),
    }),
    because: optional(reasonText()),
  },
  current: ({ endpoint: { id }, records }) => {
    const own = [...records.values()].filter(isRule).filter((one) => one.endpoint === id)
    return own.length === 0 ? {} : { choices: { rule: own.map((one) => ({ value: one.id, name: ruleName(one) })) } }
  },
  safe: true,
  impact: () => 'reversible',
  change: ({ direction, rule }, context) => {
    const { endpoint, records, automation } = context
    const own = [...records.values()].filter(isRule).filter((one) => one.endpoint === endpoint?.id)
    const meant = own
      .filter(({ id }) => rule === undefined || id === rule)
      .filter((one) => direction === undefined || (one.kind === 'weekly' ? one.direction : one.want) === direction)
    const name = endpoint?.name ?? ''
    if (meant.length === 0 && rule !== undefined) return { wrong: say('unschedule.gone', { name }) }
    if (meant.length === 0) {
      const none =
        direction === undefined || own.length === 0
          ? say('unschedule.none', { name })
          : say('unschedule.noneFor', { name, direction })
      return { wrong: endpoint === undefined ? none : [none, rulesOfTeam(automation, endpoint)] }
    }
    const left = leftStopped(context)
    const put = left === null ? holdsAgain(meant, context) : [left]
    const drop = meant.map(({ id }) => ruleKey(id))
    return {
      change: { ...(put.length > 0 && { put }), drop, ...(meant.length < own.length && { alters: true }) },
      means: [
        say('unschedule.removed', { rules: { all: meant.map(ruleName) } }),
        left === null ? '' : say('end.against', { wants: 'down', until: { at: left.until } }),
      ],
    }
  },
  inverse: rulesBack,
  // Before the rules are read, others may remain.
  phrase: ({ direction, rule }, change) => {
    const isPart = change === undefined ? direction !== undefined || rule !== undefined : change.alters === true
    return isPart ? 'unscheduleSome' : 'unschedule'
  },
})

/** Returns the hold of a stop by hand that the undone start dropped: its schedule would start the endpoint instead. */
function leftStopped({ undone, endpoint, records, at }: ChangeContext): Hold | null {
  const before = undone && replaced(undone, 'hold')
  if (before === undefined || endpoint?.active !== false || !isByHand(before) || before.until <= at) return null
  const newer = recordOn(records, 'hold', endpoint.id)
  return newer === undefined || newer.id === undone?.id ? before : null
}

/**
 * Returns the holds by hand that a removed stop ended early. They last until the other rules next change again, or with
 * the last pause that people asked for.
 */
function holdsAgain(removed: readonly StoredRecord[], { endpoint, rules, at }: ChangeContext): readonly Hold[] {
  // A removed endpoint gets no records.
  if (rules === undefined || typeof endpoint?.active !== 'boolean') return []
  const ends = removed.flatMap((one) => (one.kind === 'once' ? [one] : []))
  const isEnd = ({ want, at, until, ran }: OneOff, end: number) => (want === 'down' ? at : ran && until) === end
  const isEarly = (hold: Hold) => isByHand(hold) && at < hold.until && ends.some((one) => isEnd(one, hold.until))
  const once = rules.once.filter(({ id }) => !ends.some((one) => one.id === id))
  const { want, until } = desired({ ...rules, once, holds: [], freeze: null }, at)
  const end = (hold: Hold) => Math.max(until ?? at + dayMs, ...keepersOf(hold).map((keeper) => keeper.until))
  return want === 'hands off' ? [] : rules.holds.filter(isEarly).map((hold) => ({ ...hold, until: end(hold) }))
}

/** Lists the stops of an endpoint planned for after `now` (ms), each with a button that cancels it. `endpoint`: its id. */
export function plannedStops(records: Records, endpoint: string, now: number): QueryAnswer['items'] {
  return [...records.values()].flatMap((one) => {
    if (one.kind !== 'once' || one.endpoint !== endpoint) return []
    if (now >= (one.want === 'down' ? one.at : (one.until ?? 0))) return []
    const line = `unschedule ${writeWord(endpoint)} rule=${writeWord(one.id)}`
    return [
      {
        text: ruleName(one.want === 'up' ? { ...one, ran: true } : one),
        offers: [{ label: say('schedules.cancelStop'), line }],
      },
    ]
  })
}

/** Hints that the team's rules are changed in the policy file. */
function rulesOfTeam({ team }: Automation, endpoint: Endpoint): Words {
  const { rules = [] } = team.find(({ match }) => match.some((pattern) => fits(pattern, endpoint))) ?? {}
  return rules.length === 0 ? '' : say('unschedule.byTeam', { rules: { all: rules.map(weeklyName) } })
}

function rulesBack({ request: { replaced = [] }, now, write }: Undoing) {
  const offers = replaced.filter(isRule).flatMap((rule) => {
    const line = lineForRule(rule, write)
    const isOver = rule.kind === 'once' && (rule.until ?? rule.at) <= now
    return line === null || isOver ? [] : [{ label: say('unschedule.again', { rule: ruleName(rule) }), line }]
  })
  const [first, ...others] = offers
  if (first === undefined) return { why: alreadyOver }
  return others.length === 0 ? { line: first.line } : { why: say('unschedule.several'), offers }
}
