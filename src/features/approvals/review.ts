import type { Vote } from '../../core/model/question.ts'
import { principalsOf, type Records } from '../../core/model/records.ts'
import { beginWork, isEnded, type Note, type Press, type Request } from '../../core/model/request.ts'
import { type Actor, isSame, type Place } from '../../core/model/roles.ts'
import { quoted, say, type Words } from '../../core/model/words.ts'
import { evaluatePolicy } from '../../core/policy/requirement.ts'
import { type AnswerRight, answerersOf, answerRightOf, confirmerOf } from '../../core/policy/who-answers.ts'
import type { ClaimedRequest, Freshness, Moved, MoveOptions, Services } from '../../core/ports/services.ts'
import { authorize, isStranger, lookUpPerson } from '../../core/requests/authorize.ts'
import { unansweredOf } from '../../core/requests/awaited.ts'
import { endWith } from '../../core/requests/end.ts'
import { withTags } from '../../core/requests/find-endpoint.ts'
import { isFallbackDue, nextLookAt, remind } from './question.ts'

/** Takes the answers to a waiting request in order. A person whose answer decides nothing is told so privately. */
export async function review(services: Services, claim: ClaimedRequest): Promise<void> {
  for (const one of claim.presses) {
    // Whoever writes to Redis can repeat a refused answer, which would count once its person has the role.
    if (claim.request.notes.some(({ id }) => id === one.id)) {
      await claim.move(claim.request, [], { answered: 1 })
      continue
    }
    // An answer may be read later than it was given.
    if (isFallbackDue(claim.request, one.at)) await remind(services, claim, claim.request)
    const actor = await services.people.known(one.actor)
    const press = actor === null ? one : { ...one, actor }
    const reply = actor === null ? { says: say('role.unchecked') } : await takeAnswer(services, claim, press)
    if (reply !== null) await note(services, claim, press, reply)
  }
}

export type Reply = Pick<Note, 'says'>

/** Takes one answer. Returns a private reply if it changes nothing; null if the request has moved. */
export async function takeAnswer(services: Services, claim: ClaimedRequest, press: Press): Promise<Reply | null> {
  const { request } = claim
  if (request.status !== 'awaiting') return stateReply(request)
  if (press.ask !== request.ask?.n) return { says: say('approval.replaced') }
  const over = lateReply(request, press.at)
  if (over !== null) return over
  const freshness = request.requirement === 'approval' || confirmerOf(request) === 'admin' ? 'fresh' : 'recent'
  // An answer by command is not stored with the request.
  const answered = claim.presses.some(({ id }) => id === press.id) ? 1 : 0
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const records = await services.store.records()
    const mandates = await mandatesUnder(services, records, press.actor, placeOf(press), { freshness, at: press.at })
    if (mandates === null) return { says: say('role.unchecked') }
    const mandate = mandates(request)
    if (mandate.kind === 'voted' && press.yes)
      return mandate.by === undefined
        ? { says: say('approval.twice') }
        : { says: say('approval.twiceInPlace', { who: { person: mandate.by } }) }
    if (mandate.kind === 'own' && press.yes)
      return request.requirement === 'approval'
        ? { says: say('approval.own') }
        : notYours(services, request, mandate.unread)
    if (mandate.kind === 'not') return notYours(services, request, mandate.unread)
    const tooSoon = press.yes ? await whyNotNow(services, claim) : null
    if (tooSoon !== null) return tooSoon
    const whose = mandate.kind === 'may' ? mandate.for : undefined
    const given = whose === undefined ? {} : { for: whose }
    // Only a delegate's answer depends on a record.
    const options = whose === undefined ? { answered } : { answered, records }
    const judged = { press, given, isOwn: mandate.kind === 'own', options }
    const moved = await (press.yes ? agree : disagree)(services, claim, judged)
    if (moved.kind === 'moved') return null
  }
  return { says: say('role.unchecked') }
}

/** Returns the reply to “Stop now” on a warning if a stop needs an approval: people agreed only to its time. */
async function whyNotNow(services: Services, { request, command }: ClaimedRequest): Promise<Reply | null> {
  const { requirement, endpoint } = request
  if (requirement !== 'notice' || endpoint === undefined || command.row.wants !== 'down') return null
  const impact = command.row.impact(command.values)
  const { requirement: asked } = evaluatePolicy(services.policy(), impact, 'active', await withTags(services, endpoint))
  return asked === 'approval' || asked === 'refusal' ? { says: say('notice.notNow', { name: endpoint.name }) } : null
}

/** How often to look up a mandate that changes at the same moment. */
const mostLooks = 5

/** Returns the reply to an answer given at `at` (ms) if its ask had expired by then, even if it is not ended yet. */
export function lateReply(request: Request, at: number): Reply | null {
  if (request.ask === undefined || at < request.ask.expiresAt) return null
  return { says: say('request.over', { ending: unansweredOf(request) }) }
}

function notYours({ project, policy }: Services, request: Request, unread?: true): Reply {
  const { requirement, ask } = request
  const { now } = answerersOf(request, (role) => policy().roles[role])
  const role = requirement === 'approval' ? 'approver' : confirmerOf(request)
  if (role === 'requester') return { says: say('token.notYourTerminal') }
  // They may be one of the people whom the other replies name.
  if (unread === true) return { says: say('role.groupsUnread') }
  const isListed = requirement === 'approval' && now.length > 0 && ask?.asking.from != null
  if (isListed) return { says: say('approval.notYours', { who: { any: now } }) }
  return { says: say('approval.role', { role, project, who: now.length === 0 ? 'none' : { any: now } }) }
}

function stateReply({ status, ending, decision, votes = [] }: Request): Reply {
  if (isEnded(status)) return { says: say('request.over', { ending: [ending?.says ?? '', quoted(ending)] }) }
  if (decision === undefined) return { says: say('approval.replaced') }
  const who = { person: decision.by }
  if (!decision.yes) return { says: say('approval.declined', { who }) }
  return { says: say('approval.agreed', { who, how: votes.length > 0 ? 'approved' : 'confirmed' }) }
}

/** An answer that counts. `given` says for whom a delegate gave it. */
interface Judged {
  readonly press: Press
  readonly given: Pick<Vote, 'for'>
  readonly isOwn: boolean
  readonly options: Pick<MoveOptions, 'answered' | 'records'>
}

/** Counts a vote; the one that completes the required number decides. Its time is that of the press. */
async function agree(services: Services, claim: ClaimedRequest, { press, given, options }: Judged): Promise<Moved> {
  const { request } = claim
  const at = services.clock.now()
  const { ask, requirement } = request
  const [said, by] = [saidIn(press), press.actor]
  const votes = requirement === 'approval' ? { votes: [...(request.votes ?? []), { ...said, ...given }] } : {}
  const needed = ask?.asking.needed ?? 1
  const count = votes.votes?.length ?? needed
  const detail = say('history.votes', { count, needed })
  if (count < needed && ask !== undefined) {
    const next = { ...request, ...votes, nextAt: nextLookAt(ask, at) }
    return claim.move(next, [{ at, what: 'approved', by, ...given, detail }], options)
  }
  const next = { ...request, ...votes, decision: { ...said, yes: true }, ...beginWork(request.plan ?? [], at) }
  const event = { at, what: 'agreed', by, ...given, ...(requirement === 'approval' && { detail }) }
  return claim.move(next, [event], options)
}

async function disagree(services: Services, claim: ClaimedRequest, judged: Judged): Promise<Moved> {
  const { request } = claim
  const { press, given, isOwn, options } = judged
  const { because } = press
  const decision = { ...saidIn(press), yes: false, ...(because !== undefined && { because }) }
  const says = skipped(claim) ?? say('request.unchanged')
  const detail = because === undefined ? says : [says, `“${because}”`]
  const event = { by: press.actor, ...given, detail }
  // People cancel their own request instead of declining it. A program's request is not its owner's.
  const status = isOwn && request.through === undefined ? 'cancelled' : 'declined'
  const moved = await endWith(services, claim, status, { says, change: { decision }, event, options })
  // The next check of the rules records the skip.
  if (moved.kind === 'moved' && request.via === 'schedule') services.soon()
  return moved
}

function saidIn(press: Press): Pick<Vote, 'by' | 'at' | 'place'> {
  return { by: press.actor, at: press.at, place: placeOf(press) }
}

/** Returns the place that an answer was given in, wherever the question was asked. */
function placeOf({ channel, chosen }: Press): Place {
  return { channel, ...(chosen === true && { chosen }) }
}

/** Says what a declined notice prevents: "Left my-llm as it is; automation paused until today at 20:00." */
function skipped({ request }: ClaimedRequest): Words | null {
  const { requirement, ask, costs, endpoint, via } = request
  if (requirement !== 'notice' || ask?.due === undefined) return null
  const isOpen = costs?.until === undefined || costs.unpaused === true
  const until = via === 'idle' ? 'idle' : isOpen ? 'open' : { at: costs.until }
  return say('notice.kept', { name: endpoint?.name ?? '', until })
}

/** Of one person: more than anyone presses by accident, so that a card can't fill storage. */
const mostNotes = 50

/** Notes a press. A person without any role is told once per request, and further presses are only counted. */
async function note(services: Services, claim: ClaimedRequest, press: Press, { says }: Reply): Promise<void> {
  const { actor: by, id, channel, outside, yes } = press
  const { request } = claim
  const stranger = await isStranger(services, by, await authorize(services, by, placeOf(press), 'viewer'))
  const added: Note = { id, to: by, channel, says, ...(outside && { outside }) }
  const own = request.notes.filter(({ to }) => isSame(to, by))
  // Those of others stay: without one, its answer could be repeated.
  const kept = request.notes.filter((one) => own.length < mostNotes || one !== own[0])
  const notes = stranger && own.length > 0 ? request.notes : [...kept, added]
  const detail = stranger ? `${yes ? 'approve' : 'decline'} ${request.line}` : says
  const event = { at: services.clock.now(), what: 'refused answer', by, detail }
  await claim.move({ ...request, notes }, [event], { answered: 1, stranger })
}

/** Returns how a person may answer waiting requests at `at` (ms), also as a delegate; null if that can't be determined. */
export async function mandatesUnder(
  services: Pick<Services, 'people' | 'policy' | 'clock'>,
  records: Records,
  actor: Actor,
  place: Place,
  { freshness, at = services.clock.now() }: { readonly freshness?: Freshness; readonly at?: number } = {},
): Promise<((request: Request) => AnswerRight) | null> {
  const absent = principalsOf(records, actor, at)
  const [by, ...others] = await Promise.all(
    [actor, ...absent].map((one) => lookUpPerson(services, one, place, freshness)),
  )
  if (by === null || by === undefined) return null
  const known = others.filter((one) => one !== null)
  const isUnread = [by, ...known].some(({ person }) => person.unread === true)
  return (request) => {
    const right = answerRightOf(request, by, known)
    return (right.kind === 'not' || right.kind === 'own') && isUnread ? { ...right, unread: true } : right
  }
}
