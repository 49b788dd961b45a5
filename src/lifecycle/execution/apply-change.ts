import { phrase } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { idleRuleOf } from '../../core/model/automation.ts'
import { unlessNewer } from '../../core/model/formats.ts'
import { endsLockdown, recordOn, replacedBy, ruleKey, startsAtOnce } from '../../core/model/records.ts'
import { type Ending, type Request, waitsForPeople } from '../../core/model/request.ts'
import { startedBy } from '../../core/model/rules.ts'
import { idOf, say } from '../../core/model/words.ts'
import type { ClaimedRequest, Moved, Services } from '../../core/ports/services.ts'
import { end, endWith, type LastMove, replan } from '../../core/requests/end.ts'
import { requestPhrase } from '../../core/requests/in-words.ts'
import { askedRows } from '../../core/requests/waiting-list.ts'
import { endRevoked } from '../../features/approvals/question.ts'
import { absenceText, holdNotes, refreshApprovers, standInNotes } from '../../features/approvals/stand-ins.ts'
import { startStopButtons } from '../../features/endpoints/state.ts'
import { undoOffer } from '../../features/history/command.ts'
import { bookFor } from '../../features/schedules/rules/rulebook.ts'
import type { PlannedChange } from '../planning/plan.ts'

/** Changes our own records and ends the request in one write. */
export async function applyChange(services: Services, claim: ClaimedRequest, request: Request, planned: PlannedChange) {
  const { endpoint, change = {}, means = '', records } = planned
  const { id = '', name = '' } = endpoint ?? {}
  const team = endpoint === undefined ? null : idleRuleOf(new Map(), services.policy(), endpoint)
  const replaced = replacedBy(change, records, team)
  const told = await absenceText(services, change, request, replaced)
  const ended = say('end.done', { done: phrase(claim.command, name, 'done', change) })
  const says = told === undefined ? [ended, means] : ended
  const notes = [...request.notes, ...standInNotes(change, records, request), ...holdNotes(change, records, request)]
  const offers = [{ label: say('keepOff.press'), line: `resume ${writeWord(id)}` }]
  const isInPause = [means].flat().some((one) => idOf(one) === 'once.paused')
  const last: LastMove = {
    says,
    ...(told && { told }),
    ...leftAs(services, planned),
    ...(await besideHold(services, request, planned)),
    ...(isInPause && recordOn(records, 'hold', id) && { offers }),
    // The start that follows at once already shows an unconfirmed `start … for`.
    ...(startsAtOnce(change) && request.ask === undefined && { privately: true }),
    change: { ...request, notes, ...(replaced.length > 0 && { replaced }) },
    event: { by: request.actor },
    options: { change, records },
  }
  const moved = await writeUnlessStarting(services, claim, planned, last)
  if (moved === null) return
  if (moved.kind === 'outdated') return replan(services, claim, claim.request)
  if (endsLockdown(change)) services.log.info({ project: services.project }, 'changes are possible again')
  services.soon()
  await refreshApprovers(services, change)
  await endRevoked(services, change)
}

/** Writes the change, unless it drops a run whose start is being sent, which would then have no end. Null: refused. */
async function writeUnlessStarting(
  services: Services,
  claim: ClaimedRequest,
  { change, records, endpoint }: PlannedChange,
  last: LastMove,
): Promise<Moved | null> {
  const mayStart = endpoint?.active !== true || claim.request.undoes !== undefined
  const drop = mayStart ? (change?.drop ?? []) : []
  const dropped = drop.map((key) => records.get(key)).filter((one) => one?.kind === 'once')
  const write = (lock?: 'free') =>
    endWith(services, claim, 'succeeded', { ...last, options: { ...last.options, ...(lock && { lock }) } })
  const moved = await write(dropped.length > 0 ? 'free' : undefined)
  if (moved.kind !== 'taken') return moved
  const holder = await services.store.load(moved.by)
  const run = startedBy(holder?.occurrence)
  if (holder === null || !dropped.some((one) => one.id === run)) return write()
  const says = say('undo.underWay', { line: requestPhrase(services.commands, holder) })
  await end(services, claim, 'refused', { says, about: holder.id, offers: [undoOffer(holder)] })
  return null
}

/** Says what a pause, or the removal of the last rule, leaves as it is. In notifications that would seem permanent. */
function leftAs(services: Services, { change = {}, endpoint, records }: PlannedChange): Partial<Ending> {
  if (endpoint === undefined) return {}
  const { put = [], drop = [] } = change
  const { weekly, once } = bookFor(services, records).of(endpoint)
  const rules = [...weekly, ...once].map(({ id }) => ruleKey(id))
  const isLast = put.length === 0 && rules.length > 0 && rules.every((key) => drop.includes(key))
  const isUp = isLast && endpoint.active === true
  const isOff = endpoint.active === false && put.some((one) => one.kind === 'hold' && one.against !== true)
  if (!isUp && !isOff) return {}
  return {
    told: say(isUp ? 'history.runsOn' : 'keep.stopped', { name: endpoint.name }),
    offers: startStopButtons(endpoint),
  }
}

/**
 * Returns what a hold's card says about a stop that waits for an answer, with the button that declines it. The card is
 * private if a notice in the same channel ends with the hold, because that notice shows it.
 */
async function besideHold(
  services: Services,
  { ask, place }: Request,
  { change, endpoint }: PlannedChange,
): Promise<Partial<Ending>> {
  const hold = change?.put?.find((one) => one.kind === 'hold')
  if (hold === undefined) return {}
  const { commands } = services
  const open = (await services.store.open()).filter(
    (one) => one.status === 'awaiting' && one.endpoint?.id === endpoint?.id,
  )
  const isEnded = ({ ask: notice }: Request) => notice?.due !== undefined && notice.due < hold.until
  const isShown = ask === undefined && open.some((one) => one.place.channel === place.channel && isEnded(one))
  const privately = isShown && { privately: true }
  const isStop = ({ line }: Request) => unlessNewer(() => commands.operation(line).row.wants, undefined) === 'down'
  const asked = open.find((one) => waitsForPeople(one) && isStop(one))
  if (asked === undefined) return { ...privately }
  const told = say('keep.stopWaits', { line: requestPhrase(commands, asked), by: { person: asked.actor } })
  return { told, offers: askedRows(services, [asked], 'decline')[0]?.offers?.slice(1) ?? [], ...privately }
}
