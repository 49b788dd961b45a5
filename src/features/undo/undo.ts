import type { Commands } from '../../core/commands/commands.ts'
import type { Inverse, Undoing } from '../../core/commands/define.ts'
import { maybeSay } from '../../core/commands/phrases.ts'
import {
  type Ending,
  historyLife,
  isAutomatic,
  isSkipped,
  type Past,
  type Request,
  wasCarriedOut,
} from '../../core/model/request.ts'
import { type Actor, isSame } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import type { BotServices, ClaimedRequest, OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import { end } from '../../core/requests/end.ts'
import { endpointNamedNow, findEndpoint, wordOf } from '../../core/requests/find-endpoint.ts'
import { phraseOrSkip, requestPhrase } from '../../core/requests/in-words.ts'
import { inLine } from '../../core/time/format.ts'
import { undoOffer } from '../history/command.ts'
import { isOver, runEnd } from '../history/last-change.ts'
import { isAsLeft, type Undoable, underWay, undoableOn } from './undoable.ts'

/** Replaces an undo request's line with the opposite of the last change, and continues like any other request. */
export async function undoRequest(services: Services, claim: ClaimedRequest): Promise<void> {
  const word = wordOf(claim)
  const meant = await requestNamed(services, word)
  const instead = meant === null ? insteadOf(services, word) : null
  if (instead !== null && (await findEndpoint(services, word, claim.command)).kind === 'none')
    return end(services, claim, 'refused', instead)
  const endpoint = meant === null ? await endpointNamedNow(services, claim) : meant.endpoint
  if (endpoint === null) return
  const now = endpoint === undefined ? null : await underWay(services, endpoint.id)
  const found = now === null ? await undoable(services, meant, endpoint?.id) : { last: now }
  if ('asks' in found) return end(services, claim, 'refused', found.asks)
  const { last } = found
  const name = endpoint?.name ?? ''
  const { actor, receivedAt } = claim.request
  // The button was pressed before.
  if (last !== null && meant !== null && last.undoes === meant.id) {
    const by = isSame(last.actor, actor) ? 'you' : { person: last.actor }
    const says = say('request.askedBy', { by, line: requestPhrase(services.commands, last) })
    return end(services, claim, 'refused', { says, about: last.id })
  }
  if (now !== null)
    return end(services, claim, 'refused', {
      says: say('undo.underWay', { line: requestPhrase(services.commands, now) }),
      about: now.id,
      offers: [undoOffer(now)],
    })
  // People undo what they have seen or asked for, not what was done after they typed.
  const isOwn = last !== null && isSame(last.actor, actor) && last.receivedAt <= receivedAt
  const later = meant === null && !isOwn && (last?.ending?.at ?? 0) > receivedAt ? last : null
  if (later !== null || (meant !== null && meant.id !== last?.id)) {
    const on = endpoint === undefined ? 'project' : 'endpoint'
    const known = last === null ? 'no' : 'yes'
    // A declined stop is not a stop.
    const line = last === null ? '' : phraseOrSkip(services.commands, last)
    const offers = later === null ? {} : { offers: [undoOffer(later)] }
    return end(services, claim, 'refused', { says: say('undo.since', { on, name, known, last: line }), ...offers })
  }
  if (last === null) return end(services, claim, 'refused', { says: say('undo.nothing', { name }) })
  const at = services.clock.now()
  const inverse = inverseOf(services.commands, last, { by: actor, now: at })
  if ('why' in inverse) {
    const says = say('undo.cannot', { line: requestPhrase(services.commands, last), why: inverse.why })
    return end(services, claim, 'refused', { says, ...(inverse.offers && { offers: inverse.offers }) })
  }
  await claim.move({ ...claim.request, line: inverse.line, undoes: last.id, nextAt: at }, [
    { at, what: 'undo', by: actor, detail: last.line },
  ])
}

/** Returns the answer if the person named a command instead of an endpoint; otherwise null. */
function insteadOf({ commands }: Services, word: string): Pick<Ending, 'says' | 'offers'> | null {
  const row = commands.rows.find(({ name }) => name === word.toLowerCase())
  const line = row?.kind === 'operation' ? row.opposite : undefined
  if (line === undefined) return null
  return {
    says: say('undo.notEndpoint', { word, line }),
    offers: [
      { label: maybeSay(`${line}.ask`) ?? line, line },
      { label: say('action.history'), line: 'history' },
    ],
  }
}

/** Returns a person's last changes that can be undone now, newest first, one per endpoint. */
export async function undoableBy(services: BotServices, actor: Actor): Promise<readonly Request[]> {
  const now = services.clock.now()
  const records = await services.store.records()
  const { requests } = await services.store.past(now - historyLife, 0, 100)
  const isTheirs = (one: Request) => {
    // The start from `start … for` belongs to the person who asked; a rule's own work belongs to nobody.
    const by = isAutomatic(one) && one.asked === undefined ? undefined : one.actor
    const who = isSkipped(one) ? one.decision?.by : by
    const isDone = isSkipped(one) || wasCarriedOut(one) || (one.status === 'succeeded' && one.change !== undefined)
    return isDone && who !== undefined && isSame(who, actor)
  }
  const own = requests.filter((one) => isTheirs(one) && !isOver(one, records, now))
  const newest = own.filter((one, at) => own.findIndex(({ endpoint }) => endpoint?.id === one.endpoint?.id) === at)
  // Eight are enough to find three.
  const looked = newest.slice(0, 8)
  const taken = await Promise.all(looked.map((one) => takesBack(services, one, actor).catch(() => false)))
  return looked.filter((_, at) => taken[at]).slice(0, 3)
}

/** Marks the requests on a page of history that a press would undo now. */
export async function withUndo(
  services: BotServices,
  found: OwnOutcome<readonly Past[]>,
  { values, request }: QueryInput,
): Promise<OwnOutcome<readonly Past[]>> {
  if (found.kind !== 'answered' || values['what'] === 'export') return found
  const looked = found.answer.map(async (past) => {
    const takes = () => takesBack(services, past.request, request.actor).catch(() => false)
    return !isSkipped(past.request) && (await takes()) ? { ...past, undoable: true as const } : past
  })
  return { kind: 'answered', answer: await Promise.all(looked) }
}

/** Whether a press would undo this request now. Throws Newer. */
async function takesBack(services: BotServices, request: Request, by: Actor): Promise<boolean> {
  const id = request.endpoint?.id
  if (id !== undefined && (await underWay(services, id)) !== null) return false
  // The rules of a deleted endpoint can still be undone.
  const listed = id === undefined || request.change !== undefined ? null : await services.store.names()
  if (listed !== null && !listed.endpoints.some((one) => one.id === id)) return false
  const found = await undoable(services, request, id)
  if ('asks' in found || found.last?.id !== request.id) return false
  const [now, records] = [services.clock.now(), await services.store.records()]
  if (isOver(request, records, now) || !isAsLeft(request, records)) return false
  return 'line' in inverseOf(services.commands, request, { by, now })
}

/** Returns the request that the line names by id, as buttons do; null if it names an endpoint. */
async function requestNamed(services: Services, word: string): Promise<Request | null> {
  const found = /^[\w-]{22}$/.test(word) ? await services.store.load(word) : null
  return found?.endpoint === undefined && found?.change === undefined ? null : found
}

/** Returns the request to undo: `meant`, named by id, or the last change of the endpoint. */
async function undoable(services: BotServices, meant: Request | null, endpoint: string | undefined): Promise<Undoable> {
  if (endpoint !== undefined) return undoableOn(services, endpoint, meant?.id)
  if (meant?.status !== 'succeeded') return { last: null }
  return { last: isAsLeft(meant, await services.store.records()) ? meant : null }
}

/** Returns the line that undoes a request; for a skip, the stop, the run or the end of its hold. Throws Newer. */
export function inverseOf(
  { operation, write }: Commands,
  request: Request,
  asker: Pick<Undoing, 'by' | 'now'>,
): Inverse {
  const { row, values } = operation(request.line)
  if (isSkipped(request)) {
    const [endpoint, due] = [request.endpoint?.id, request.ask?.due ?? 0]
    const isPlanned = request.costs?.unpaused === true
    const [at, until] = [isPlanned && due > asker.now ? inLine(due) : undefined, runEnd(request)]
    if (until !== undefined) return { line: write('start', { endpoint, until: inLine(until) }) }
    return { line: write(isPlanned || request.via === 'idle' ? 'stop' : 'resume', { endpoint, at }) }
  }
  const inverse = row.inverse?.({ ...asker, request, values, write })
  return inverse ?? { why: say('undo.noOpposite', { verb: row.name }) }
}
