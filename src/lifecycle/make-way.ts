import type { Command } from '../core/commands/commands.ts'
import type { Operation } from '../core/commands/define.ts'
import { isAnswered } from '../core/model/plan.ts'
import { isAutomatic, type Request } from '../core/model/request.ts'
import { say, type Words } from '../core/model/words.ts'
import type { ClaimedRequest, Moved, Services } from '../core/ports/services.ts'
import { claimOther, lookAgainSoon, withClaimed } from '../core/requests/claim-other.ts'
import { end, replan } from '../core/requests/end.ts'
import { lastSeen } from './execution/work.ts'

/**
 * The endpoint of this name is held by another request, `holder`: that gives way, or this one ends. Where this one has
 * to be agreed to, `ask` asks people about it beside the other, which goes on until then.
 */
export async function takeFrom(
  services: Services,
  held: ClaimedRequest,
  request: Request,
  name: string,
  holder: string,
  ask?: (under: Words) => Promise<Moved>,
): Promise<void> {
  const found = await services.store.load(holder)
  if (found === null || !givesWay(found, request, held.command))
    return refuseTaken(services, held, name, found ?? holder)
  const goesOn = found.status === 'running'
  if (ask !== undefined && (goesOn || request.through !== undefined)) {
    const line = services.commands.called(found.line, found.endpoint)
    const asked = await ask(goesOn ? say('way.later', { line }) : say('way.announced', { line }))
    return asked.kind === 'outdated' ? replan(services, held, request) : undefined
  }
  const way = await makeWay(services, held, request, holder)
  // What gave way may have left a call behind that can still arrive.
  if (way === 'made') return replan(services, held, request)
  if (way === 'busy') return lookAgainSoon(services, held)
  return refuseTaken(services, held, name, (await services.store.load(holder)) ?? holder)
}

/** `by`: the request that holds the endpoint; its id alone where it is gone by now. */
export async function refuseTaken(
  services: Services,
  held: ClaimedRequest,
  name: string,
  by: Request | string,
): Promise<void> {
  const [about, what] =
    typeof by === 'string' ? [by, say('way.ending')] : [by.id, services.commands.called(by.line, by.endpoint)]
  return end(services, held, 'refused', { says: say('request.taken', { name, line: what }), about })
}

/** Ends what holds the endpoint, if it still gives way once it is claimed. */
async function makeWay(
  services: Services,
  { command }: ClaimedRequest,
  request: Request,
  holder: string,
): Promise<'made' | 'busy' | 'no'> {
  const other = await claimOther(services.store, holder)
  if (other === null) return 'busy'
  return withClaimed(services, other, async () => {
    if (!givesWay(other.request, request, command)) return 'no'
    const line = services.commands.called(request.line, other.request.endpoint)
    const seen = other.request.progress?.at(-1)?.looks.at(-1)
    const isNotice = other.request.status === 'awaiting'
    const name = other.request.endpoint?.name ?? ''
    const says = isNotice ? say('way.notice', { line, name }) : [say('way.work', { line }), lastSeen(seen)]
    const ending = isNotice ? { says, takenBy: request.actor } : { says }
    await end(services, other, 'cancelled', { ...ending, event: { by: request.actor } })
    return 'made'
  })
}

/** An announced automatic action gives way to people; what only waits for its effect gives way to their stop. */
function givesWay(other: Request, request: Request, { row }: Command<Operation>): boolean {
  if (isAutomatic(request)) return false
  const isNotice = other.status === 'awaiting' && other.requirement === 'notice'
  const onlyWaits = other.status === 'running' && other.progress?.at(-1)?.sends.slice(-1).some(isAnswered) === true
  return isNotice || (row.wants === 'down' && onlyWaits)
}
