import { type Actor, isSame } from '../domain/actor.ts'
import { instant } from '../domain/instant.ts'
import type { Rec } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import { weeklyText } from '../domain/rules.ts'
import type { Offer } from '../domain/shown.ts'
import { away } from './away.ts'
import type { Given } from './field.ts'
import { freeze } from './freeze.ts'
import { lineLaying, lineWatching, typed } from './laid-down.ts'
import { writeLine } from './line.ts'
import { protect } from './protect.ts'
import { unschedule } from './unschedule.ts'
import { writeWord } from './words.ts'

/** The line that takes back what a request has done, or the reason why there is none, and lines that come near. */
export type Inverse = { readonly line: string } | { readonly why: string; readonly offers?: readonly Offer[] }

/** Who takes it back, and when (ms). */
export interface Asker {
  readonly by: Actor
  readonly now: number
}

const overByNow = 'What held before it would be over by now.'

/** What has changed our own records: taken back by the line that brings back what it replaced. */
export function takeBack(request: Request, name: string, values: Given, { by, now }: Asker): Inverse {
  const { endpoint, actor } = request
  const id = writeWord(endpoint?.id ?? '')
  const on = writeWord(endpoint?.name ?? '')
  switch (name) {
    case 'protect':
      return { line: `unprotect ${id}` }
    case 'unprotect':
      return { line: writeLine(protect, { endpoint: endpoint?.id, because: replaced(request, 'protection')?.because }) }
    case 'keep': {
      // Lines have full minutes; people saw this one cut to its minute, and never get more than they had.
      const until = Math.floor((replaced(request, 'hold')?.until ?? 0) / 60_000) * 60_000
      if (now < until) return { line: `keep ${id} until ${typed(until)}` }
      return values['off'] === undefined
        ? { line: `keep ${id} off` }
        : { why: `${overByNow} keep ${on} 2h keeps it again.` }
    }
    case 'idle': {
      const rule = replaced(request, 'idle')
      if (rule !== undefined) return { line: lineWatching(rule) }
      return values['mode'] === 'off'
        ? { why: `It was not watched before, as far as is known; idle ${on} after 60m has it watched.` }
        : { line: `idle ${id} off` }
    }
    case 'freeze':
    case 'thaw':
      return name === 'freeze' ? thawing(request, now) : freezing(request, now)
    case 'away':
    case 'back':
      return isSame(by, actor)
        ? handingOver(request, now)
        : { why: `Only whoever has asked for ${name} takes it back.` }
    case 'unschedule':
      return ruling(request, now)
    default:
      return unruling(request)
  }
}

function thawing(request: Request, now: number): Inverse {
  const until = replaced(request, 'freeze')?.until ?? 0
  if (until <= now) return { line: 'thaw' }
  return { why: `Automation was frozen before it as well, until ${instant(until)}. thaw ends all of it.` }
}

function freezing(request: Request, now: number): Inverse {
  const before = replaced(request, 'freeze')
  if (before === undefined) return { why: 'A lockdown that an admin has ended is not laid down again.' }
  const { until, because = 'as before' } = before
  if (until !== null && until <= now) return { why: overByNow }
  return { line: writeLine(freeze, { because, ...(until !== null && { until: typed(until) }) }) }
}

function handingOver(request: Request, now: number): Inverse {
  const before = replaced(request, 'away')
  if (before !== undefined && now < before.until)
    return { line: writeLine(away, { until: typed(before.until), to: `@${before.to.user}` }) }
  return request.change?.put === undefined ? { why: overByNow } : { line: 'back' }
}

/** Rules that were taken away are laid down again, one line each: as those of whoever does it. */
function ruling({ replaced = [] }: Request, now: number): Inverse {
  const rules = replaced.flatMap((one) => (one.kind === 'weekly' || one.kind === 'once' ? [one] : []))
  const offers = rules.flatMap((rule) => {
    const line = lineLaying(rule)
    const isOver = rule.kind === 'once' && (rule.until ?? rule.at) <= now
    return line === null || isOver
      ? []
      : [{ label: `Again: ${rule.kind === 'weekly' ? weeklyText(rule) : `${rule.want} once`}`, line }]
  })
  const [first, ...others] = offers
  if (first === undefined) return { why: overByNow }
  return others.length === 0
    ? { line: first.line }
    : { why: 'It took several rules away, and each is laid down again by itself.', offers }
}

/** A rule that was laid down is taken away, and no other. */
function unruling({ change, replaced = [], endpoint }: Request): Inverse {
  const made = change?.put?.find((one) => one.kind === 'weekly' || one.kind === 'once')
  if (made === undefined || endpoint === undefined) return { why: 'What it has changed is not remembered.' }
  if (replaced.some((one) => 'id' in one && one.id === made.id))
    return { why: 'The rule was there before, and only whose it is has changed: the same line takes it over.' }
  return { line: writeLine(unschedule, { endpoint: endpoint.id, rule: made.id }) }
}

function replaced<Kind extends Rec['kind']>(
  { replaced = [] }: Request,
  kind: Kind,
): Extract<Rec, { readonly kind: Kind }> | undefined {
  return replaced.find((one): one is Extract<Rec, { readonly kind: Kind }> => one.kind === kind)
}
