import type { PolicyDecision } from '../../core/model/policy.ts'
import type { Ask } from '../../core/model/question.ts'
import { type Change, freezeAt, type Records } from '../../core/model/records.ts'
import { type Event, type Request, terms } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import { whyNotThrough } from '../../core/policy/programs.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { unansweredOf } from '../../core/requests/awaited.ts'
import { claimOther, withClaimed } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'
import { unableTo } from './unable.ts'

/** The next ask of a request, made now. */
export function nextAsk(
  request: Request,
  { requirement, asking: usual, inWords }: PolicyDecision,
  more: Pick<Ask, 'why' | 'again' | 'adds' | 'overAt' | 'guard' | 'standIns' | 'unable'>,
  at: number,
): Ask {
  // A confirmation is a second look of one operator: nobody else is let in for it.
  const asking = requirement === 'approval' ? usual : { ...usual, needed: 1, from: null, fallback: null }
  const n = (request.ask?.n ?? 0) + 1
  const once = { n, at, asking, rule: inWords, ...more, reminded: 0 }
  if (requirement === 'notice') {
    const due = dueOf(request, at)
    const never = { asking: { ...asking, remind: null }, remindAt: null }
    return { ...once, ...never, due, dueFirst: due, expiresAt: due + terms.late }
  }
  const remindAt = asking.remind === null ? null : at + asking.remind
  return { ...once, expiresAt: at + asking.expires, remindAt }
}

/** When a notice is due. What is told only now, or anew, leaves people some time all the same. */
function dueOf({ due = 0, ask, via }: Request, at: number): number {
  const shortest = ask === undefined && via === 'schedule' ? terms.scheduleWarning : terms.warning
  return Math.max(ask?.due ?? due, at + shortest)
}

/** How often it is looked whether a question is still true, ms: ever more seldom. */
const [soonest, latest] = [60_000, 600_000]

/**
 * When a waiting request has to be looked at again: its end or its object's, a reminder, to let the fallback in, or to
 * see whether what people are asked about has changed.
 */
export function nextLookAt(ask: Ask, now: number): number {
  const look = ask.due === undefined ? now + Math.min(latest, Math.max(soonest, (now - ask.at) / 10)) : undefined
  const instants = [ask.due, ask.expiresAt, ask.overAt, ask.remindAt, fallbackAt(ask), look]
  return Math.min(...instants.filter((at) => at != null))
}

function fallbackAt({ at, asking, fellBackAt }: Ask): number | null {
  return asking.fallback === null || fellBackAt !== undefined ? null : at + asking.fallback.after
}

/** Reminds people of an ask, ever more seldom, lets the fallback in, and looks up again who could not answer. */
export async function remind(services: Services, held: ClaimedRequest, request: Request): Promise<void> {
  const { ask } = request
  if (ask === undefined) throw new Error('A request that waits for nobody has nobody to remind.')
  const now = services.clock.now()
  const detail = say('approval.noAnswer', { length: { lasting: now - ask.at } })
  // Letting others in is a reminder by itself.
  if (isPast(fallbackAt(ask))) return moved({ ...ask, fellBackAt: now }, { at: now, what: 'fell back', detail })
  if (isPast(ask.remindAt)) return moved(reminded(ask, now), { at: now, what: 'reminded', detail })
  return moved(ask)

  function isPast(at: number | null): boolean {
    return at !== null && at <= now
  }

  async function moved(next: Ask, ...events: readonly Event[]): Promise<void> {
    const isApproval = request.requirement === 'approval'
    const unable = isApproval && { unable: await unableTo(services, request, next.asking) }
    await held.move({ ...request, ask: { ...next, ...unable }, nextAt: nextLookAt(next, now) }, events)
  }
}

/** Each reminder comes after twice the time of the one before. */
function reminded(ask: Ask, now: number): Ask {
  const { asking } = ask
  const wait = (asking.remind ?? asking.expires) * 2 ** (ask.reminded + 1)
  return { ...ask, reminded: ask.reminded + 1, remindAt: now + wait }
}

/** Ends an ask that nobody answered in time. True when it was over. */
export async function expire(services: Services, held: ClaimedRequest): Promise<boolean> {
  const { ask } = held.request
  // A notice happens at its time; nobody has to answer it.
  if (ask === undefined || ask.due !== undefined || services.clock.now() < ask.expiresAt) return false
  // An answer may have come in time and be read only now.
  if (held.presses.some(({ at }) => at < ask.expiresAt)) return false
  await end(services, held, 'expired', { says: unansweredOf(held.request) })
  return true
}

/** When what a question is about ends by itself, ms since 1970; nothing where it does not. */
export function subjectEnd(change: Change | undefined, records: Records, now: number): Pick<Ask, 'overAt'> {
  const freeze = change?.drop?.includes('freeze') === true ? freezeAt(records, now) : null
  return freeze?.until == null ? {} : { overAt: freeze.until }
}

/** Ends a question that there is nothing left to ask about. True when it has moved. */
export async function endIfPointless(services: Services, held: ClaimedRequest): Promise<boolean> {
  const { request } = held
  const now = services.clock.now()
  if (request.through !== undefined) {
    const why = whyNotThrough(request, held.command, { records: await services.store.records(), now })
    if (why !== null) await end(services, held, 'cancelled', { says: why })
    if (why !== null) return true
  }
  if (request.ask?.overAt === undefined || now < request.ask.overAt) return false
  const records = await services.store.records()
  if (freezeAt(records, now) === null) {
    await end(services, held, 'cancelled', { says: say('freeze.over') })
    return true
  }
  // Somebody has frozen it for longer meanwhile.
  const { overAt: _, ...rest } = request.ask
  const ask = { ...rest, ...subjectEnd(request.change, records, now) }
  await held.move({ ...request, ask, nextAt: nextLookAt(ask, now) }, [])
  return true
}

/** A token was revoked: its questions are over at once. A worker that holds one is told to check again. */
export async function endRevoked(services: Services, { put = [] }: Change): Promise<void> {
  const tokens = put.flatMap((record) => (record.kind === 'token' && record.revoked === true ? [record.id] : []))
  for (const { id, through } of tokens.length === 0 ? [] : await services.store.open()) {
    if (through === undefined || !tokens.includes(through.token)) continue
    const other = await claimOther(services.store, id)
    if (other !== null)
      await withClaimed(services, other, async () => {
        if (other.request.status === 'awaiting') await endIfPointless(services, other)
      })
  }
}
