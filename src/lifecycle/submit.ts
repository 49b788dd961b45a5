import { neededFor } from '../core/commands/permissions.ts'
import { isAutomatic, type Request } from '../core/model/request.ts'
import type { Role } from '../core/model/roles.ts'
import { idOf } from '../core/model/words.ts'
import { whyNotThrough } from '../core/policy/programs.ts'
import type { ClaimedRequest, Services } from '../core/ports/services.ts'
import { type Authorization, authorizeRequester, refusalStorage } from '../core/requests/authorize.ts'
import { holderOn } from '../core/requests/claim-other.ts'
import { end, retryLater, retryRole, waitsForStart } from '../core/requests/end.ts'
import { endpointNamed, listingSoon } from '../core/requests/find-endpoint.ts'
import { deeds } from './act-on-request.ts'
import { askOrRun } from './ask-or-run.ts'
import { settingsNow } from './execute.ts'
import { refuseTaken } from './make-way.ts'
import { announcedOn } from './messages/ahead.ts'
import { type Denial, makePlan, type PlannedChange } from './planning/plan.ts'
import { whyOutdated } from './while-waiting.ts'

/** A dry run: the requester is treated as having the role, and `planned` receives the planned change. */
interface Trial {
  admit(authorization: Authorization, needed: Role): Authorization
  planned(change: PlannedChange): void
}

/** Authorizes a received request, finds its endpoint and plans it. Then refuses it, asks about it or begins it. */
export async function submit(services: Services, claim: ClaimedRequest, trial?: Trial): Promise<void> {
  const { request } = claim
  const { row, values } = claim.command
  const needed = neededFor(row, values)
  const listing = 'endpoint' in row.fields && row.deed === undefined ? listingSoon(services) : undefined
  // If no agreement is needed, this is the last check before the call.
  const mine = await authorizeRequester(services, request, needed, 'recent')
  const authorization = trial?.admit(mine, needed) ?? mine
  if (authorization.kind === 'not' && authorization.unsure === true && isAutomatic(request))
    return retryRole(services, claim, authorization.says)
  if (authorization.kind === 'not')
    return end(services, claim, 'refused', {
      says: authorization.says,
      ...(await refusalStorage(services, authorization, request)),
    })

  if (row.deed !== undefined && request.through !== undefined) {
    const records = await services.store.records()
    const why = whyNotThrough(request, claim.command, { records, now: services.clock.now() })
    if (why !== null) return end(services, claim, 'refused', { says: why })
  }
  if (row.deed !== undefined) return deeds[row.deed](services, claim, authorization.role)
  const endpoint = listing ? await endpointNamed(services, claim, listing) : request.endpoint
  if (endpoint === null) return
  const asked: Request = { ...request, ...(endpoint && { endpoint }) }
  const planned = await makePlan(services, asked, claim.command)
  if (planned.kind === 'later') return retryLater(services, claim, planned.says, planned.pause)
  if (planned.kind === 'no') return deny(services, claim, asked, planned, trial !== undefined)
  trial?.planned(planned)
  // The rules may have changed since a look handed this in, and without an agreement nothing is checked later.
  const outdated = await whyOutdated(services, claim, planned.endpoint)
  if (outdated !== null)
    return end(services, claim, 'cancelled', { ...outdated, change: { ...(endpoint && { endpoint }) } })
  return askOrRun(services, claim, { ...asked, ...(await settingsNow(services, planned)) }, planned)
}

/** Refuses what can't be done now, or waits for an endpoint that is already starting. */
async function deny(
  services: Services,
  claim: ClaimedRequest,
  asked: Request,
  { says, asItIs, holds, offers = [] }: Denial,
  isDryRun: boolean,
): Promise<void> {
  const { endpoint } = asked
  const mayWait = asItIs === 'coming' && !isDryRun
  if (mayWait && (await waitsForStart(services, claim, asked, asked.receivedAt))) return
  // A running request may be changing this state.
  if (asItIs !== undefined && endpoint !== undefined) {
    const work = await holderOn(services.store, endpoint.id)
    if (work?.status === 'running') return refuseTaken(services, claim, endpoint.name, work)
  }
  // A notice's button contains a time, which may have passed when the button is pressed.
  const isOver = asked.via === 'button' && idOf(says) === 'time.past'
  // The endpoint runs, but an announced stop is about to end that.
  const isUp = holds === true && asItIs !== undefined && claim.command.row.wants === 'up'
  const coming = (isOver || isUp) && endpoint !== undefined ? await announcedOn(services, endpoint.id) : null
  const all = [...(coming?.offers ?? []), ...offers]
  const more = { ...(holds && { holds }), ...(all.length > 0 && { offers: all }) }
  const change = { ...(endpoint && { endpoint }) }
  return end(services, claim, 'refused', { says: isUp && coming ? [says, coming.says] : says, change, ...more })
}
