import type { Operation } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { idNote } from '../../core/model/endpoint.ts'
import type { Ask } from '../../core/model/question.ts'
import { type Request, terms } from '../../core/model/request.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { dotted, type ParsedRequest } from '../../core/requests/in-words.ts'
import { absolute } from '../../core/time/format.ts'
import { costOfMinutes } from '../../features/savings/prices.ts'
import type { DraftButton, Part } from './draft.ts'

export type Notice = Ask & { readonly due: number }

/** "my-llm stops tomorrow at 18:30." with the reasons. If postponed, also the original time and the new one. */
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

/** A way to keep an endpoint running, and until when, if that is known. */
export interface Way extends Pick<DraftButton, 'does' | 'value'> {
  readonly name: Sentence
  readonly cost?: string | undefined
  /** `cost` is for one hour, and nobody knows how many hours it will be. */
  readonly hourly?: boolean
  readonly until?: number | undefined
}

/** Lists the ways to keep an endpoint as it is, shortest first. `wants`: the action of the notice. */
export function waysOf(request: Request, wants: Operation['wants'], ask: Notice): readonly Way[] {
  const { id, via, endpoint, costs = {} } = request
  const isIdle = via === 'idle'
  const value = `${id}.${ask.n}`
  const hourly = costs.open === true
  const cost = hourly ? costs.hour : costs.skip
  const skip: Way = { name: say('choice.skip'), cost, hourly, until: costs.until, does: 'no', value }
  // What is stopped can't be kept running.
  if (wants === 'up') return [skip]
  const night = nightWay(request, ask)
  const isSame = isNightSkip(request, night)
  const keeps = [
    hourWay(request, ask),
    isSame && night !== null ? { ...skip, name: night.name, cost: costs.skip, until: costs.until } : night,
  ]
  const kept = keeps.flatMap((one) => (one === null ? [] : isIdle ? { ...one, cost, hourly } : one))
  const off = `idle ${writeWord(endpoint?.id ?? '')} off`
  const rarely: Way[] = isIdle ? [{ name: say('idleOff.press'), does: 'line', value: off }] : []
  return [...kept, ...(isSame ? [] : [skip]), ...rarely]
}

/** The main three choices with their costs; ⋯ has the others. `ends`: until when each keeps the endpoint running. */
export function choicesOf(request: ParsedRequest, ask: Notice): { readonly choices: Part; readonly ends: Words } {
  const { id, command } = request
  const ways = waysOf(request, command.row.wants, ask)
  const now = say(command.row.wants === 'up' ? 'start.now' : 'stop.now')
  return {
    choices: {
      kind: 'buttons',
      buttons: [...ways.slice(0, 2).map(buttonOf), { label: now, does: 'yes', value: `${id}.${ask.n}` }],
      more: ways.slice(2).map(buttonOf),
    },
    // Choices under ⋯ are not visible as buttons.
    ends: dotted(
      ...ways
        .slice(0, 2)
        .map((way) =>
          way.until === undefined ? '' : say('choice.until', { name: way.name, until: { at: way.until } }),
        ),
    ),
  }
}

export function buttonOf({ name, cost, hourly = false, does, value }: Way): DraftButton {
  const priced = () => say(hourly ? 'group.pricedHourly' : 'group.priced', { name, cost: cost ?? '' })
  return { label: cost === undefined ? name : priced(), does, value }
}

/** Whether skipping the stop is about the same as keeping the endpoint tonight: its rules change near that morning. */
function isNightSkip({ costs = {} }: Request, night: Way | null): boolean {
  const { until, morningAt, open, unpaused } = costs
  return (
    open !== true &&
    unpaused !== true &&
    night !== null &&
    until !== undefined &&
    morningAt !== undefined &&
    Math.abs(until - morningAt) < hour
  )
}

const [minute, hour, longestNight] = [60_000, 3_600_000, 34 * 3_600_000]

/** One more hour, counted from the whole minute that people read, or as much as the policy allows. */
function hourWay({ endpoint, costs = {} }: Request, ask: Notice): Way | null {
  const due = Math.floor(ask.due / minute) * minute
  const length = Math.min(hour, (costs.latest ?? Number.POSITIVE_INFINITY) - due)
  if (length < terms.warning) return null
  const cost = length < hour ? (costOfMinutes(costs, length / minute) ?? undefined) : costs.hour
  const end = absolute(due + length)
  const value = `keep ${writeWord(endpoint?.id ?? '')} until ${end}`
  return {
    name: say('choice.keep', { length: { lasting: length } }),
    cost,
    until: Date.parse(end),
    does: 'line',
    value,
  }
}

/** Until nine in the morning; null if the policy would refuse that. */
function nightWay({ endpoint, costs = {} }: Request, { at, due }: Notice): Way | null {
  const { latest = Number.POSITIVE_INFINITY, morningAt: until, morning: cost } = costs
  // In the time zone of the person who presses, tomorrow may be that far away.
  if ((until ?? at + longestNight) > latest) return null
  const end = until === undefined ? 'tomorrow 09:00' : absolute(until)
  const value = `keep ${writeWord(endpoint?.id ?? '')} until ${end}`
  return { name: say('choice.keepTonight', { when: nightOf(due, until) }), cost, until, does: 'line', value }
}

/** The time between a stop and the next nine o'clock: only the morning, a night, or also a day. */
function nightOf(due: number, morningAt = due + 12 * hour): 'morning' | 'night' | 'day' {
  if (morningAt - due < 6 * hour) return 'morning'
  return morningAt - due > 18 * hour ? 'day' : 'night'
}
