import { phrase } from '../../core/commands/phrases.ts'
import { replacedBy } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { endWith, replan } from '../../core/requests/end.ts'
import { absenceText, holdNotes, refreshApprovers, standInNotes } from '../../features/approvals/stand-ins.ts'
import { idleRuleOf } from '../../features/idle/idle-rules.ts'
import type { Proposal } from '../planning/plan.ts'

/** Changes our own records and ends the request: both are one write. */
export async function applyChange(
  services: Services,
  held: ClaimedRequest,
  request: Request,
  { endpoint, change = {}, means = '', records }: Proposal,
): Promise<void> {
  const name = endpoint?.name ?? ''
  const done = phrase(held.command, name, 'done', change)
  const told = absenceText(change, request.actor)
  const ended = say('end.done', { done })
  const says = told === undefined ? [ended, means] : ended
  const others = [...standInNotes(change, request), ...holdNotes(change, records, request)]
  const notes = [...request.notes, ...others]
  const team = endpoint === undefined ? null : idleRuleOf(new Map(), services.policy(), endpoint)
  const replaced = replacedBy(change, records, team)
  const moved = await endWith(services, held, 'succeeded', {
    says,
    ...(told && { told }),
    change: { ...request, notes, ...(replaced.length > 0 && { replaced }) },
    event: { by: request.actor },
    options: { change, records },
  })
  if (moved.kind === 'outdated') return replan(services, held, held.request)
  services.soon()
  await refreshApprovers(services, change)
}
