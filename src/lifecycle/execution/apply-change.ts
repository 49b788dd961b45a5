import { writeWord } from '../../core/commands/parse.ts'
import { phrase } from '../../core/commands/phrases.ts'
import { replacedBy, startsAtOnce } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import { idleRuleOf } from '../../core/policy/idle-rule.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { endWith, replan } from '../../core/requests/end.ts'
import { endRevoked } from '../../features/approvals/question.ts'
import { absenceText, holdNotes, refreshApprovers, standInNotes } from '../../features/approvals/stand-ins.ts'
import type { Proposal } from '../planning/plan.ts'

/** Changes our own records and ends the request in one write. */
export async function applyChange(
  services: Services,
  held: ClaimedRequest,
  request: Request,
  proposal: Proposal,
): Promise<void> {
  const { endpoint, change = {}, means = '', records } = proposal
  const name = endpoint?.name ?? ''
  const done = phrase(held.command, name, 'done', change)
  const told = absenceText(change, request.actor)
  const ended = say('end.done', { done })
  const isOff = keepsStopped(proposal)
  const says = told === undefined ? [ended, means] : ended
  const others = [...standInNotes(change, request), ...holdNotes(change, records, request)]
  const notes = [...request.notes, ...others]
  const team = endpoint === undefined ? null : idleRuleOf(new Map(), services.policy(), endpoint)
  const replaced = replacedBy(change, records, team)
  const moved = await endWith(services, held, 'succeeded', {
    says,
    ...(told && { told }),
    // Only the card says this: in history and status, a passing state would seem permanent.
    ...(isOff && {
      told: say('keep.stopped', { name }),
      offers: [{ label: say('start.press', { name }), line: `start ${writeWord(name)}` }],
    }),
    ...((startsHere(services, request, proposal) || (await endsNotice(services, request, proposal))) && {
      privately: true,
    }),
    change: { ...request, notes, ...(replaced.length > 0 && { replaced }) },
    event: { by: request.actor },
    options: { change, records },
  })
  if (moved.kind === 'outdated') return replan(services, held, held.request)
  services.soon()
  await refreshApprovers(services, change)
  await endRevoked(services, change)
}

/** Whether a hold is set on a stopped endpoint, perhaps in the belief that it is running. */
function keepsStopped({ change, endpoint }: Proposal): boolean {
  return endpoint?.active === false && change?.put?.some((one) => one.kind === 'hold' && one.against !== true) === true
}

/** Whether the start that follows at once, in the same channel, already shows this unconfirmed `start … for`. */
function startsHere(services: Services, { ask, place }: Request, { change }: Proposal): boolean {
  return startsAtOnce(change) && place.channel === services.operationsChannel() && ask === undefined
}

/** Whether a notice in the same channel ends with this hold, and so shows it. */
async function endsNotice(
  { store }: Services,
  { ask, place }: Request,
  { change, endpoint }: Proposal,
): Promise<boolean> {
  const hold = change?.put?.find((one) => one.kind === 'hold')
  if (hold?.kind !== 'hold' || ask !== undefined) return false
  return (await store.open()).some(
    (one) =>
      one.status === 'awaiting' &&
      one.endpoint?.id === endpoint?.id &&
      one.place.channel === place.channel &&
      one.ask?.due !== undefined &&
      one.ask.due < hold.until,
  )
}
