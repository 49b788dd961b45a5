import { type Command, storedLine } from '../../core/commands/commands.ts'
import type { Context, Operation } from '../../core/commands/define.ts'
import { phrase } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { currentState, type Endpoint } from '../../core/model/endpoint.ts'
import type { FieldValues, Past } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { HistoryValues } from './fields.ts'
import { doneBy } from './last-change.ts'

/** Whether nothing but an endpoint's stops or starts is asked for, as by "why did it stop?". */
export function isWhy(values: FieldValues): boolean {
  const said = Object.keys(values).filter((name) => values[name] !== undefined && name !== 'what')
  return said.join() === 'on'
}

/** Returns the endpoint that is asked about now, if nothing else is; otherwise undefined. */
function askedAbout({ values, listed = [], isInside }: Context<HistoryValues>): Endpoint | undefined {
  const { what, on } = values
  if (!isWhy(values) || what === 'refused') return undefined
  return listed.find((one) => (one.id === on || one.name === on) && isInside?.(one) !== false)
}

/** Returns the values that the answer is for: why a stopped endpoint that was never started here is stopped. */
export function meantValues(first: Past | undefined, context: Context<HistoryValues>): HistoryValues {
  const { values } = context
  if (values.what !== 'started' || !isWhy(values)) return values
  const isStop = first ? doneBy(first.request, context.rows) === 'stopped' : askedAbout(context)?.active === false
  return isStop ? { ...values, what: 'stopped' } : values
}

/** Says what is so now: the open request, the state unless the last start or stop is told, and what decides. */
export function saidNow(context: Context<HistoryValues>, isTold: boolean) {
  const found = askedAbout(context)
  if (found === undefined) return { active: null, open: '', state: '', decided: '', offers: [] }
  const { id, name, active } = found
  const asked = context.openOn?.(found).find(({ requirement }) => requirement !== 'notice')
  const command = asked && storedLine(asked.line, context.rows)
  const open: Words =
    command?.row.kind !== 'operation'
      ? ''
      : say('explain.open', { deed: phrase(command as Command<Operation>, name, 'ask') })
  const [by = '', stop] = [context.decidedOf?.(found), context.announcedOf?.(found)]
  const next = stop ? say('schedules.announced', { at: { at: stop.at } }) : ''
  const rules: Words = by || next ? [by, next] : say(active ? 'history.runsOn' : 'history.noRule', { name })
  const state = currentState(found)
  return {
    active,
    open,
    state: active === null || (isTold && state !== 'failed') ? '' : say('history.isNow', { name, state }),
    decided: active === null || open !== '' ? '' : rules,
    offers: [{ label: say('action.status'), line: `status ${writeWord(id)}` }],
  }
}
