import { type Command, storedLine } from '../../core/commands/commands.ts'
import type { Context, Operation } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/parse.ts'
import { phrase } from '../../core/commands/phrases.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { FieldValues, Past } from '../../core/model/request.ts'
import { startedBy } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { HistoryValues } from './fields.ts'
import { doneBy } from './last-change.ts'

/** Whether nothing but an endpoint's stops or starts is asked for, as by "why did it stop?". */
export function isWhy(values: FieldValues): boolean {
  const said = Object.keys(values).filter((name) => values[name] !== undefined && name !== 'what')
  return said.join() === 'on'
}

/** Returns the endpoint whose stops or starts are asked about; otherwise undefined. */
function askedAbout({ values, listed = [] }: Context<HistoryValues>): Endpoint | undefined {
  const { what, on } = values
  if (!isWhy(values) || (what !== 'stopped' && what !== 'started')) return undefined
  return listed.find(({ id, name }) => id === on || name === on)
}

/** Returns the values that the answer is for: why a stopped endpoint that was never started here is stopped. */
export function meantValues(first: Past | undefined, context: Context<HistoryValues>): HistoryValues {
  const { values } = context
  if (values.what !== 'started' || !isWhy(values)) return values
  const isStop = first ? doneBy(first.request, context.rows) === 'stopped' : askedAbout(context)?.active === false
  return isStop ? { ...values, what: 'stopped' } : values
}

/** Names the open request that may change the endpoint's state; '' without one. */
export function openText(context: Context<HistoryValues>): Words {
  const found = askedAbout(context)
  const open = found && context.openOn?.(found).find(({ requirement }) => requirement !== 'notice')
  const command = open && storedLine(open.line, context.rows)
  if (found === undefined || command?.row.kind !== 'operation') return ''
  return say('explain.open', { deed: phrase(command as Command<Operation>, found.name, 'ask') })
}

/** Offers to retry a failed request if nothing better is offered. Programs do so themselves; sealed values are gone. */
export function failureOffers(request: Past['request']): readonly Offer[] {
  const { asked, ending, line, occurrence, sealed, status, through } = request
  // The start of a run is as a person asked for it.
  const retried = (startedBy(occurrence) && asked) ?? line
  const isAgain = status === 'failed' && through === undefined && sealed !== true
  return ending?.offers ?? (isAgain ? [{ label: say('end.retry'), line: retried }] : [])
}

/** Says what decides about the endpoint now, besides its last stop or start. */
export function decidedNow(context: Context<HistoryValues>): Words {
  const found = askedAbout(context)
  if (found === undefined || found.active === null) return ''
  const { name, active } = found
  return context.decidedOf?.(found) || say(active ? 'history.runsOn' : 'history.noRule', { name })
}

/** Offers the status of the endpoint, which shows everything else about it. */
export function statusOffers(context: Context<HistoryValues>): readonly Offer[] {
  const found = askedAbout(context)
  return found === undefined ? [] : [{ label: say('action.status'), line: `status ${writeWord(found.id)}` }]
}
