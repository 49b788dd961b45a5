import { writeWord } from '../../core/commands/parse.ts'
import type { Offer } from '../../core/model/answer.ts'
import { idNote } from '../../core/model/endpoint.ts'
import type { Ask } from '../../core/model/question.ts'
import type { Request } from '../../core/model/request.ts'
import { terms } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import { absolute, instant, lasting } from '../../core/time/format.ts'
import { asText } from '../../core/words/render.ts'
import { costOfMinutes } from '../../features/savings/prices.ts'
import { buttonsPart, lineButton, type Part } from './draft.ts'
import type { ParsedRequest } from './facts.ts'

/** "my-llm will be stopped tomorrow at 18:30.", and why; put off, when it was to be and until when it waits. */
export function noticed(request: ParsedRequest, ask: Ask & { readonly due: number }): readonly [Words, Words] {
  const { command, endpoint } = request
  const { name = '' } = endpoint ?? {}
  const verb = command.row.wants === 'up' ? 'start' : 'stop'
  const { due, dueFirst = due, busy, why } = ask
  const { until } = request.costs ?? {}
  const skipped =
    until === undefined || request.via === 'idle' ? '' : `Skipped, it is left as it is until ${instant(until)}.`
  const whys = [why, idNote(endpoint), skipped]
  if (busy === undefined) return [say('notice.due', { name, verb, due: { at: due } }), whys]
  return [
    say('notice.wasDue', { name, verb, due: { at: dueFirst } }),
    [say('notice.busy', { busy, due: { at: due } }), ...whys],
  ]
}

/** All that can be done about it, each with what it costs where that is known; until when is the same for everybody. */
export function choicesOf(request: ParsedRequest, ask: Ask & { readonly due: number }): Part {
  const { id, command, via, endpoint, costs } = request
  const value = `${id}.${ask.n}`
  const keeping = keepsOf(request, ask)
  return buttonsPart(
    { label: priced('Skip this one', costs?.skip, via), does: 'no', value },
    ...keeping.map(lineButton),
    {
      label: priced(
        asText(say(command.row.wants === 'up' ? 'start.now' : 'stop.now')),
        costs?.saved && `saves ${costs.saved}`,
        undefined,
      ),
      does: 'yes',
      value,
      style: 'danger',
    },
    ...(via === 'idle'
      ? [lineButton({ label: 'Never for this one', line: `idle ${writeWord(endpoint?.id ?? '')} off` })]
      : []),
  )
}

const [minute, hour, longestNight] = [60_000, 3_600_000, 34 * 3_600_000]

/** For how long it may be kept past its time: what the policy would refuse is not offered, or only as much of it. */
function keepsOf(
  { endpoint, costs = {}, via }: Request,
  { at, due }: Ask & { readonly due: number },
): readonly Offer[] {
  const on = writeWord(endpoint?.id ?? '')
  const { latest = Number.POSITIVE_INFINITY, morningAt, place } = costs
  const length = Math.min(hour, latest - due)
  const lasts =
    length < hour
      ? priced(`Keep ${lasting(length)}`, costOfMinutes(costs, length / minute) ?? undefined, via)
      : priced('Keep 1 h', costs.hour, via)
  const overnight = priced(['Keep until tomorrow 09:00', place].filter(Boolean).join(' '), costs.morning, via)
  const morning = morningAt === undefined ? 'tomorrow 09:00' : absolute(morningAt)
  return [
    ...(length < terms.warning ? [] : [{ label: lasts, line: `keep ${on} until ${absolute(due + length)}` }]),
    // Of whoever presses, tomorrow may be as far as that.
    ...((morningAt ?? at + longestNight) > latest ? [] : [{ label: overnight, line: `keep ${on} until ${morning}` }]),
  ]
}

/** What is idle is told of anew after as long a quiet, and stays up until then. */
function priced(label: string, cost: string | undefined, via: Request['via']): string {
  return cost === undefined ? label : `${label} · ${via === 'idle' ? 'at least ' : ''}${cost}`
}
