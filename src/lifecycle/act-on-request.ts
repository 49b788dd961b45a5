import type { Deed } from '../core/commands/define.ts'
import { phrase } from '../core/commands/phrases.ts'
import { keyOf, ruleKey } from '../core/model/records.ts'
import { isEnded, type Request } from '../core/model/request.ts'
import { includes, isSame, type Role } from '../core/model/roles.ts'
import { startedBy } from '../core/model/rules.ts'
import type { Through } from '../core/model/token.ts'
import { say, type Words } from '../core/model/words.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { claimOther, lookAgainSoon, withClaimed } from '../core/requests/claim-other.ts'
import { end } from '../core/requests/end.ts'
import { endpointNamed, wordOf } from '../core/requests/find-endpoint.ts'
import { answerByCommand, breakGlassByCommand, findOpen } from '../features/approvals/by-command.ts'
import { undoRequest } from '../features/undo/undo.ts'
import { stepFailed } from './execution/compensate.ts'
import { currentStep } from './execution/work.ts'

/** Operations on another request, without a plan or a lock. */
export const deeds: Readonly<
  Record<Deed, (services: Services, claim: ClaimedRequest, role: Role | null) => Promise<void>>
> = {
  cancel,
  undo: undoRequest,
  approve: (services, claim) => answerByCommand(services, claim, true),
  decline: (services, claim) => answerByCommand(services, claim, false),
  'break glass': breakGlassByCommand,
}

/** Cancels a request for its requester or an approver, while it waits or between two steps. */
async function cancel(services: Services, claim: ClaimedRequest, role: Role | null): Promise<void> {
  const found = await openOn(services, claim)
  if (found === null) return
  const { through, actor } = claim.request
  const isOwn = isSame(found.actor, actor)
  // All people's requests through the chat's own client share one token.
  if (through !== undefined && !(isOwn && found.through?.token === through.token))
    return end(services, claim, 'refused', { says: notOwn(through) })
  if (!isOwn && !includes(role, 'approver'))
    return end(services, claim, 'refused', { says: say('cancel.notYours', { by: { person: found.actor } }) })
  const other = await claimOther(services.store, found.id)
  if (other === null) return lookAgainSoon(services, claim)
  const says = await withClaimed(services, other, () => giveUp(services, other, claim))
  const { endpoint } = other.request
  return end(services, claim, says === null ? 'refused' : 'succeeded', {
    says: says ?? say('cancel.underWay'),
    change: { ...(endpoint && { endpoint }) },
  })
}

function notOwn({ name }: Through): Words {
  return say('program.cancelOwn', { name })
}

/** Finds the request to cancel: a waiting one, or the one that holds the endpoint's lock. */
async function openOn(services: Services, claim: ClaimedRequest): Promise<Request | null> {
  const waiting = await findOpen(services, wordOf(claim), 'cancel')
  if (waiting.kind === 'found' && !isEnded(waiting.request.status)) return waiting.request
  const endpoint = waiting.kind === 'found' ? waiting.request.endpoint : await endpointNamed(services, claim)
  if (endpoint === null) return null
  const open = endpoint === undefined ? null : await services.store.holderOf(endpoint.id)
  const found = open === null ? null : await services.store.load(open)
  if (found !== null && !isEnded(found.status)) return found
  const { through } = claim.request
  // A program must not learn whether other people have an open request.
  const none = through === undefined ? say('cancel.none', { name: endpoint?.name ?? wordOf(claim) }) : notOwn(through)
  await end(services, claim, 'refused', { says: none })
  return null
}

/** Cancels a request between two calls. Returns null while the outcome of its last call is unknown. */
async function giveUp(services: Services, other: ClaimedRequest, by: ClaimedRequest): Promise<Words | null> {
  const { request } = other
  const { actor, through } = by.request
  const { because: reason } = by.command.values
  const why =
    reason === undefined ? '' : say('cancel.why', { program: through?.name ?? 'none', reason: String(reason) })
  const name = request.endpoint?.name ?? ''
  if (isEnded(request.status)) return say('request.over', { ending: request.ending?.says ?? '' })
  // A change to our own records is one write, so nothing has been done before it.
  if (request.status !== 'running' || request.change !== undefined) {
    await end(services, other, 'cancelled', {
      says: why === '' ? say('request.unchanged') : [why, say('request.unchanged')],
      by: actor,
      event: { by: actor },
    })
    return say('cancel.done', { deed: phrase(other.command, name, 'ask', request.change) })
  }
  const work = currentStep(services, other)
  const last = work.last?.outcome?.kind
  if (work.step.always === true) return say('cancel.restoring', { name })
  if (work.last !== undefined && last !== 'answered' && last !== 'unreached') return null
  const seen = work.progress.looks.at(-1) ?? work.last?.before
  // The end of a run goes with its start, or it would stop an endpoint that nobody asked for.
  const run = (await services.store.records()).get(ruleKey(startedBy(request.occurrence) ?? ''))
  const until = run?.kind === 'once' ? run.until : undefined
  const advice = until === undefined ? '' : say('end.noStop', { until: { at: until } })
  const options = run?.kind === 'once' && { options: { change: { drop: [keyOf(run)] } } }
  await stepFailed(work, 'cancelled', { says: why, seen, advice }, { by: actor, ...options })
  return say('cancel.done', { deed: phrase(other.command, name, 'ask') })
}
