import { type Command, storedLine } from '../../core/commands/commands.ts'
import type { Context, Operation } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/parse.ts'
import { phrase } from '../../core/commands/phrases.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { FieldValues, Past } from '../../core/model/request.ts'
import type { Rules } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { freezeItems } from '../safeguards/freeze.ts'
import type { HistoryValues } from './fields.ts'
import { doneBy, wayOf } from './last-change.ts'

/** Returns the endpoint if the question is about its stops or starts; otherwise undefined. */
function askedAbout({ values: { what, on }, listed = [] }: Context<HistoryValues>): Endpoint | undefined {
  return what === 'stopped' || what === 'started' ? listed.find(({ id, name }) => id === on || name === on) : undefined
}

/** Whether nothing but an endpoint's stops or starts is asked for, as by "why did it stop?". */
export function isWhy(values: FieldValues): boolean {
  const said = Object.keys(values).filter((name) => values[name] !== undefined && name !== 'what')
  return said.join() === 'on'
}

/** Returns the values that the answer is for: why a stopped endpoint that was never started here is stopped. */
export function meantValues(first: Past | undefined, context: Context<HistoryValues>): HistoryValues {
  const { values } = context
  if (values.what !== 'started' || !isWhy(values)) return values
  const isStop = first ? doneBy(first.request, context.rows) === 'stopped' : askedAbout(context)?.active === false
  return isStop ? { ...values, what: 'stopped' } : values
}

/** Offers to start a stopped endpoint, or to stop one whose start is asked about, if nothing else is asked of it. */
export function startOffers(context: Context<HistoryValues>): readonly Offer[] {
  const found = isWhy(context.values) ? askedAbout(context) : undefined
  if (found === undefined || (context.openOn?.(found) ?? []).length > 0) return []
  if (found.active === null || (found.active && context.values.what !== 'started')) return []
  const verb = found.active ? 'stop' : 'start'
  return [{ label: say(`endpoint.${verb}`, { name: found.name }), line: `${verb} ${writeWord(found.id)}` }]
}

/** Says what keeps an endpoint in its state besides its last stop or start. */
export function keptTexts(context: Context<HistoryValues>, last: Past | undefined): readonly Words[] {
  const { values, rulesOf, freeze, guardOf, now } = context
  const found = askedAbout(context)
  const isStart = values.what === 'started'
  if (found === undefined || found.active === null) return []
  const rules = rulesOf?.(found)
  const hold = rules?.holds.find(({ at, until }) => at <= now && now < until)
  const isPause = hold !== undefined && hold.by !== 'console' && hold.against !== true
  const paused = isPause && { until: { at: hold.until }, by: { person: hold.by } }
  const run = rules?.once.findLast(({ want, at, until = at }) => want === 'up' && at <= now && now < until)
  const isScheduled = isStart && found.active && last?.request.via === 'schedule'
  const frozen = freezeItems(freeze).map(({ text }) => text)
  return [
    paused ? say('rule.pausedBy', paused) : '',
    isStart && found.active && run?.until !== undefined
      ? say('history.runs', { until: { at: run.until }, by: { person: run.owner } })
      : '',
    ...frozen,
    found.active && (!isStart || rules?.protected) ? (guardOf?.(found) ?? '') : '',
    isStart && !found.active && rules && !hasStart(rules) ? say('history.noRule', { name: found.name }) : '',
    isScheduled && rules?.weekly.length === 0 && rules.once.length === 0
      ? say('history.runsOn', { name: found.name })
      : '',
  ]
}

function hasStart({ weekly, once }: Rules): boolean {
  return weekly.some(({ direction }) => direction === 'up') || once.some(({ want }) => want === 'up')
}

/** Returns the stops or starts that wait, each with a link to its buttons. */
export function waitingOn(context: Context<HistoryValues>): readonly { readonly says: Words; readonly offer: Offer }[] {
  const found = askedAbout(context)
  if (found === undefined) return []
  const offer = { label: say('action.status'), line: `status ${writeWord(found.id)}` }
  const asked = (context.openOn?.(found) ?? []).filter((one) => one.status === 'awaiting')
  return asked.flatMap((one) => {
    const command = storedLine(one.line, context.rows)
    if (doneBy(one, context.rows) !== context.values.what || command?.row.kind !== 'operation') return []
    const { due } = one.ask ?? {}
    const isNotice = one.requirement === 'notice'
    if (isNotice) return due === undefined ? [] : [{ says: say('schedules.announced', { at: { at: due } }), offer }]
    return [{ says: say('explain.open', { deed: phrase(command as Command<Operation>, found.name, 'ask') }), offer }]
  })
}

/** Says what is being done to an endpoint now, which a question about its last change should mention first. */
export function underWay(context: Context<HistoryValues>): Words {
  const found = askedAbout(context)
  const request = found && context.openOn?.(found).find(({ status }) => status === 'running')
  const { what } = context.values
  if (!found || !request || what === undefined || doneBy(request, context.rows) !== what) return ''
  return say('history.underWay', { what, name: found.name, ...wayOf(request) })
}
