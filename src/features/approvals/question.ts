import type { PolicyDecision } from '../../core/model/policy.ts'
import { type Ask, idWord } from '../../core/model/question.ts'
import { type Change, freezeAt, onceIn, type Records } from '../../core/model/records.ts'
import { type Event, type Request, terms } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import { whyNotThrough } from '../../core/policy/programs.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { unableTo, unansweredOf } from '../../core/requests/awaited.ts'
import { actOn } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'

export function nextAsk(
  request: Request,
  { requirement, asking: usual, inWords }: PolicyDecision,
  more: Pick<Ask, 'why' | 'again' | 'adds' | 'overAt' | 'guard' | 'standIns' | 'unable'>,
  at: number,
): Ask {
  // A confirmation needs one operator, so there is no fallback.
  const asking = requirement === 'approval' ? usual : { ...usual, needed: 1, from: null, fallback: null }
  const n = (request.ask?.n ?? 0) + 1
  const asked = { n, at, asking, rule: inWords, ...more, reminded: 0 }
  if (requirement === 'notice') {
    const due = dueOf(request, at)
    const never = { asking: { ...asking, remind: null }, remindAt: null }
    return { ...asked, ...never, due, dueFirst: due, expiresAt: due + terms.late }
  }
  const remindAt = asking.remind === null ? null : at + asking.remind
  // After its time a one-off can no longer be agreed to.
  const rule = onceIn(request.change)
  const expiresAt = Math.min(at + asking.expires, rule?.until ?? rule?.at ?? Number.POSITIVE_INFINITY)
  return { ...asked, expiresAt, remindAt }
}

/** Returns when a notice is due. A late or repeated one still leaves people some time. */
function dueOf({ due = 0, ask, via }: Request, at: number): number {
  const shortest = ask === undefined && via === 'schedule' ? terms.scheduleWarning : terms.warning
  return Math.max(ask?.due ?? due, at + shortest)
}

/** The shortest and longest time between two checks that a question is still true; each waits longer. ms. */
const [soonest, latest] = [60_000, 600_000]

/** Returns when a waiting request needs a look: at an end, for a reminder or the fallback, or to check for changes. */
export function nextLookAt(ask: Ask, now: number): number {
  const look = ask.due === undefined ? now + Math.min(latest, Math.max(soonest, (now - ask.at) / 10)) : undefined
  const instants = [ask.due, ask.expiresAt, ask.overAt, ask.remindAt, fallbackAt(ask), look]
  return Math.min(...instants.filter((at) => at != null))
}

function fallbackAt({ at, asking, fellBackAt }: Ask): number | null {
  return asking.fallback === null || fellBackAt !== undefined ? null : at + asking.fallback.after
}

/** Whether a waiting request is to let fallback approvers in at `at` (ms). */
export function isFallbackDue({ status, ask }: Request, at: number): boolean {
  const from = status !== 'awaiting' || ask === undefined ? null : fallbackAt(ask)
  return from !== null && from <= at
}

/** Reminds people of an ask at growing intervals, lets the fallback in, and looks up again who could not answer. */
export async function remind(services: Services, claim: ClaimedRequest, request: Request): Promise<void> {
  const { ask } = request
  if (ask === undefined) throw new Error('A request without a question needs no reminder.')
  const now = services.clock.now()
  const detail = say('approval.noAnswer', { length: { lasting: now - ask.at } })
  // Letting the fallback in is itself a reminder.
  if (isPast(fallbackAt(ask))) return moved({ ...ask, fellBackAt: now }, { at: now, what: 'fell back', detail })
  if (isPast(ask.remindAt)) return moved(reminded(ask, now), { at: now, what: 'reminded', detail })
  return moved(ask)

  function isPast(at: number | null): boolean {
    return at !== null && at <= now
  }

  async function moved(next: Ask, ...events: readonly Event[]): Promise<void> {
    const isApproval = request.requirement === 'approval'
    const unable = isApproval && { unable: await unableTo(services, request, next.asking) }
    await claim.move({ ...request, ask: { ...next, ...unable }, nextAt: nextLookAt(next, now) }, events)
  }
}

function reminded(ask: Ask, now: number): Ask {
  const { asking } = ask
  const wait = (asking.remind ?? asking.expires) * 2 ** (ask.reminded + 1)
  return { ...ask, reminded: ask.reminded + 1, remindAt: now + wait }
}

/** Ends an ask that nobody answered in time. Returns whether it had expired. */
export async function expire(services: Services, claim: ClaimedRequest): Promise<boolean> {
  const { ask } = claim.request
  // A notice needs no answer.
  if (ask === undefined || ask.due !== undefined || services.clock.now() < ask.expiresAt) return false
  // An answer may have come in time and still be unread.
  if (claim.presses.some(({ at }) => at < ask.expiresAt)) return false
  await end(services, claim, 'expired', { says: unansweredOf(claim.request) })
  return true
}

/** Returns when the subject of a question ends by itself, ms since 1970; nothing if it doesn't. */
export function subjectEnd(change: Change | undefined, records: Records, now: number): Pick<Ask, 'overAt'> {
  const freeze = change?.drop?.includes('freeze') === true ? freezeAt(records, now) : null
  return freeze?.until == null ? {} : { overAt: freeze.until }
}

/** Ends a question whose subject is gone. Returns whether the request moved. */
export async function endIfPointless(services: Services, claim: ClaimedRequest): Promise<boolean> {
  const { request } = claim
  const now = services.clock.now()
  const isPast = request.ask?.overAt !== undefined && request.ask.overAt <= now
  if (request.through === undefined && !isPast) return false
  const records = await services.store.records()
  const isOver = isPast && freezeAt(records, now) === null
  const says = whyNotThrough(request, claim.command, { records, now }) ?? (isOver ? say('freeze.over') : null)
  if (says !== null) await end(services, claim, 'cancelled', { says })
  if (says !== null || !isPast) return says !== null
  // Somebody extended the freeze in the meantime.
  const { overAt: _, ...rest } = request.ask
  const ask = { ...rest, ...subjectEnd(request.change, records, now) }
  await claim.move({ ...request, ask, nextAt: nextLookAt(ask, now) }, [])
  return true
}

/** Ends the questions of a revoked token at once. A worker that has claimed one is told to check again. */
export async function endRevoked(services: Services, { put = [] }: Change): Promise<void> {
  const tokens = put.flatMap((record) => (record.kind === 'token' && record.revoked === true ? [record.id] : []))
  for (const { id, through } of tokens.length === 0 ? [] : await services.store.open()) {
    if (through === undefined || !tokens.includes(through.token)) continue
    await actOn(services, id, async (other) => other.request.status === 'awaiting' && endIfPointless(services, other))
  }
}

/** How soon to look again whether an earlier answer has been taken, ms. */
const soon = 300

/** Waits for an untaken answer by command from before a yes or the expiry. Returns whether it waits. */
export async function waitsForEarlier(services: Services, claim: ClaimedRequest): Promise<boolean> {
  const { request } = claim
  const [first] = claim.presses
  const { ask, nextAt } = request
  const now = services.clock.now()
  const isOver = first === undefined && ask !== undefined && ask.due === undefined && now >= ask.expiresAt
  const at = first?.yes === true ? first.at : isOver ? ask.expiresAt : undefined
  if (at === undefined || !(await isAnsweredBefore(services, request, at))) return false
  const isSoon = nextAt !== null && now < nextAt && nextAt <= now + soon
  if (!isSoon) await claim.move({ ...request, nextAt: now + soon }, [])
  return true
}

/** Whether an answer by command to a request, from before `at` (ms), is still to be taken. */
async function isAnsweredBefore({ store, commands }: Services, { id, endpoint }: Request, at: number) {
  const names = [id, endpoint?.id, endpoint?.name]
  return (await store.open()).some(({ status, line, receivedAt }) => {
    if (status !== 'received' || receivedAt >= at) return false
    const { row, values = {} } = commands.stored(line) ?? {}
    if (row?.deed === undefined || row.deed === 'undo') return false
    const word = String(values['request'])
    return names.includes(idWord.exec(word)?.[1] ?? word)
  })
}
