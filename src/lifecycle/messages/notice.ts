import { writeWord } from '../../core/commands/parse.ts'
import { idNote } from '../../core/model/endpoint.ts'
import type { Ask } from '../../core/model/question.ts'
import { type Request, terms } from '../../core/model/request.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { clockText } from '../../core/time/calendar.ts'
import { absolute } from '../../core/time/format.ts'
import { localAt, placeOfZone } from '../../core/time/zone.ts'
import { costOfMinutes } from '../../features/savings/prices.ts'
import { type DraftButton, lineButton, type Part } from './draft.ts'
import type { ParsedRequest } from './facts.ts'

type Notice = Ask & { readonly due: number }

/** "my-llm stops tomorrow at 18:30.", and why; put off, when it was to be and until when it waits. */
export function noticed(request: ParsedRequest, ask: Notice): readonly [string, Words, Words] {
  const { command, endpoint, via } = request
  const { due, dueFirst = due, busy, why } = ask
  const verb = command.row.wants === 'up' ? 'start' : 'stop'
  const about = { name: endpoint?.name ?? '', verb }
  const whys = [why, idNote(endpoint)]
  const mark = via === 'idle' ? '💤 ' : '🌙 '
  return busy === undefined
    ? [mark, say('notice.due', { ...about, due: { at: due } }), whys]
    : [
        mark,
        say('notice.wasDue', { ...about, due: { at: dueFirst } }),
        [say('notice.busy', { verb, busy, due: { at: due } }), ...whys],
      ]
}

/** Three things that can be done about it, each with what it costs where that is known; behind ⋯ what is rarely wanted. */
export function choicesOf(request: ParsedRequest, ask: Notice): Part {
  const { id, command, via, endpoint, costs = {} } = request
  const value = `${id}.${ask.n}`
  const cost = costs.skip ?? 'none'
  // Whether what is idle stays up after that, its clock will tell.
  const until = via === 'idle' || command.row.wants === 'up' ? undefined : costs.until
  const skip: DraftButton = {
    label: keepUntil(request, ask, until, cost) ?? say('choice.skip', { cost }),
    does: 'no',
    value,
  }
  const keepHour = hourButton(request, ask)
  const keepNight = nightButton(request, ask)
  const isSame = isNightSkip(request, ask)
  const night = isSame && keepNight !== null ? { ...skip, label: keepNight.label } : keepNight
  const keeps = [keepHour, night].filter((one) => one !== null)
  const skips = isSame ? [] : [skip]
  const isRoom = keeps.length < 2
  const now = say(command.row.wants === 'up' ? 'start.now' : 'stop.now')
  const off = `idle ${writeWord(endpoint?.id ?? '')} off`
  return {
    kind: 'buttons',
    buttons: [...keeps, ...(isRoom ? skips : []), { label: now, does: 'yes', value }],
    more: [
      ...(isRoom ? [] : skips),
      ...(via === 'idle' ? [lineButton({ label: say('idleOff.press'), line: off })] : []),
    ],
  }
}

/** Whether to skip a stop, until the morning, is to keep the endpoint tonight. */
function isNightSkip(request: Request, ask: Notice): boolean {
  const { until, morningAt } = request.costs ?? {}
  return until !== undefined && until === morningAt && nightButton(request, ask) !== null
}

const [minute, hour, longestNight] = [60_000, 3_600_000, 34 * 3_600_000]

/** An hour past its time, or as much of it as the policy allows. */
function hourButton(request: Request, ask: Notice): DraftButton | null {
  const { endpoint, costs = {} } = request
  const { due } = ask
  const length = Math.min(hour, (costs.latest ?? Number.POSITIVE_INFINITY) - due)
  if (length < terms.warning) return null
  const cost = (length < hour ? costOfMinutes(costs, length / minute) : costs.hour) ?? 'none'
  const end = absolute(due + length)
  const label =
    keepUntil(request, ask, Date.parse(end), cost) ?? say('choice.keep', { length: { lasting: length }, cost })
  return lineButton({ label, line: `keep ${writeWord(endpoint?.id ?? '')} until ${end}` })
}

/** Until nine in the morning; not where the policy would refuse that. */
function nightButton(request: Request, ask: Notice): DraftButton | null {
  const { endpoint, costs = {} } = request
  const { at, due } = ask
  const { latest = Number.POSITIVE_INFINITY, morningAt } = costs
  // Of whoever presses, tomorrow may be as far as that.
  if ((morningAt ?? at + longestNight) > latest) return null
  const cost = costs.morning ?? 'none'
  const label =
    keepUntil(request, ask, morningAt, cost) ?? say('choice.keepTonight', { cost, when: nightOf(due, morningAt) })
  const morning = morningAt === undefined ? 'tomorrow 09:00' : absolute(morningAt)
  return lineButton({ label, line: `keep ${writeWord(endpoint?.id ?? '')} until ${morning}` })
}

/** "Keep until tomorrow 09:00 (+$29)"; null where no zone is known in which to say it. */
function keepUntil({ costs = {} }: Request, { at }: Notice, until: number | undefined, cost: string): Sentence | null {
  if (costs.zone === undefined || until === undefined) return null
  const { day, minute } = localAt(until, costs.zone)
  const days = day - localAt(at, costs.zone).day
  // Past midnight, "tomorrow" would be another day.
  const when = days === 0 || until - at < 12 * hour ? 'today' : days === 1 ? 'tomorrow' : 'later'
  return say('choice.keepUntil', { when, day: { day }, clock: clockText(minute), place: placeOfZone(costs.zone), cost })
}

/** What lies between a stop and the next nine o'clock: only hours of the morning, a night, or a day as well. */
function nightOf(due: number, morningAt = due + 12 * hour): 'morning' | 'night' | 'day' {
  if (morningAt - due < 6 * hour) return 'morning'
  return morningAt - due > 18 * hour ? 'day' : 'night'
}
