import type { Operation } from '../../core/commands/define.ts'
import { phrase } from '../../core/commands/phrases.ts'
import { idWord } from '../../core/model/question.ts'
import { beginWork, isEnded, type Request, waitsForPeople } from '../../core/model/request.ts'
import { isSame } from '../../core/model/roles.ts'
import { type Sentence, say } from '../../core/model/words.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { dueOf } from '../../core/requests/awaited.ts'
import { actOn, lookAgainSoon } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'
import { requestsIn } from '../../core/requests/in-words.ts'
import { askedRows, othersRows } from '../../core/requests/waiting-list.ts'
import type { SentenceId } from '../../words/english.ts'
import { lateReply, mandatesUnder, type Reply, takeAnswer } from './review.ts'

/** Answers by `approve` or `decline`, with the same checks as the buttons. */
export async function answerByCommand(services: Services, claim: ClaimedRequest, yes: boolean): Promise<void> {
  return withOther(services, claim, async (other, shown) => {
    const { id, actor, place, receivedAt: at } = claim.request
    // An announced stop waits for its time, not for an approval.
    const due = yes ? dueOf({ ...other.request, command: other.command }) : ''
    const early = due === '' ? asksNothing(other.request, at, shown) : { says: due }
    if (early !== null) return early
    const { because } = claim.command.values
    const [request, ask] = [other.request.id, other.request.ask?.n ?? 0]
    const reason = typeof because === 'string' && { because }
    return takeAnswer(services, other, { id, request, ask, yes, actor, ...place, at, ...reason })
  })
}

/** Runs a request without its approvals. The caller has just checked that the person is an admin. */
export async function breakGlassByCommand(services: Services, claim: ClaimedRequest): Promise<void> {
  return withOther(services, claim, async (other, shown) => {
    const { request } = other
    if (isEnded(request.status)) return { says: say('request.over', { ending: request.ending?.says ?? '' }) }
    if (request.status !== 'awaiting' || request.requirement !== 'approval') return { says: say('glass.notWaiting') }
    const { actor: by, receivedAt, place } = claim.request
    const untimely = asksNothing(request, receivedAt, shown) ?? lateReply(request, receivedAt)
    if (untimely !== null) return untimely
    const at = services.clock.now()
    const because = String(claim.command.values['because'])
    // At the time of the command, so that the request can't begin much later.
    const decision = { by, at: receivedAt, place, yes: true, because, glass: true } as const
    await other.move({ ...request, decision, ...beginWork(request.plan ?? [], at) }, [
      { at, what: 'broke the glass', by, detail: because },
    ])
    return null
  })
}

/** Rejects an answer to another question: one typed before this was asked, or a button beside another (`shown`). */
function asksNothing({ status, ask }: Request, at: number, shown = ask?.n): Reply | null {
  const isOther = status === 'awaiting' && ask !== undefined && (at < ask.at || shown !== ask.n)
  return isOther ? { says: say('approval.replaced') } : null
}

/** Returns the reply to an approval that is not the last; null if the request no longer waits. */
function countedIn({ status, ask, votes = [] }: Request, deed: Sentence): Sentence | null {
  if (status !== 'awaiting' || ask === undefined) return null
  const { needed } = ask.asking
  const count = votes.length
  return say('approval.countedOf', { deed, count, needed, left: needed - count, until: { at: ask.expiresAt } })
}

async function withOther(
  services: Services,
  claim: ClaimedRequest,
  act: (other: ClaimedRequest, shown?: number) => Promise<Reply | null>,
): Promise<void> {
  const { row, values } = claim.command
  const { meant, shown } = await findMeant(services, String(values['request']), row)
  const [request, ...more] = meant
  if (request === undefined || more.length > 0) return offerMeant(services, claim, meant)
  const answered = await actOn(services, request.id, async (other) => ({ other, reply: await act(other, shown) }))
  if (answered === null) return lookAgainSoon(services, claim)
  const { other, reply } = answered
  const deed = phrase(other.command, request.endpoint?.name ?? '', 'ask', request.change)
  // The card calls this a cancellation.
  const isCancel = row.deed === 'decline' && isSame(request.actor, claim.request.actor)
  const isConfirm = row.deed === 'approve' && request.requirement === 'confirmation'
  const how = isCancel ? 'cancel' : isConfirm ? 'confirm' : row.name
  const done = say(`${how}.done` as SentenceId, { deed })
  // From here on it is part of the endpoint's history.
  const change = request.endpoint === undefined ? {} : { change: { endpoint: request.endpoint } }
  if (reply === null) {
    const { requirement, ending, status } = other.request
    // What it does now may differ from what was agreed to, so that it is asked again or not needed any more.
    const goesOn = status === 'running' ? say('approval.goesOn') : ''
    // How long a skipped stop stays away is on its card only, which may be in another channel.
    const kept = requirement === 'notice' ? (ending?.says ?? '') : ''
    return end(services, claim, 'succeeded', {
      says: [countedIn(other.request, deed) ?? done, goesOn, kept],
      ...change,
    })
  }
  return end(services, claim, 'refused', { says: reply.says, ...change })
}

/**
 * Finds the request with this id, or those waiting on the endpoint with this id or name, or with this title: "stop
 * my-llm". `shown`: the number of the question beside the button.
 */
export async function findMeant(
  { store, commands }: Services,
  word: string,
  { deed }: Pick<Operation, 'deed'>,
): Promise<{ readonly meant: readonly Request[]; readonly shown?: number }> {
  const [, id, n] = idWord.exec(word) ?? []
  const byId = id === undefined ? null : await store.load(id)
  if (byId?.kind === 'operation') return { meant: [byId], ...(n !== undefined && { shown: Number(n) }) }
  const waiting = (await store.open()).filter(({ status }) => status === 'awaiting')
  const { row, values = {} } = commands.stored(word) ?? {}
  // A warning keeps the name that its endpoint had; another one may have that name now.
  const called = (await store.names())?.endpoints.filter((one) => one.name === word) ?? []
  const isCalled = ({ endpoint: { id, name } = { id: '', name: '' }, line }: Request) =>
    id === word ||
    (called.length > 0 ? called.some((one) => one.id === id) : name === word) ||
    ((values['endpoint'] === id || values['endpoint'] === name) && commands.stored(line)?.row === row)
  const named = waiting.filter((one) => (one.endpoint === undefined ? one.line.split(' ')[0] === word : isCalled(one)))
  // The only request with that name says why it can't be answered so.
  return { meant: named.length > 1 ? named.filter((one) => isFor(deed, one)) : named }
}

/** Nothing but an approval can be bypassed, and what happens anyway needs no approval. */
function isFor(deed: Operation['deed'], { requirement }: Request): boolean {
  return deed === 'break glass' ? requirement === 'approval' : deed !== 'approve' || requirement !== 'notice'
}

/**
 * Lists the requests that a line may mean: of several with its name those, else those that a sentence or a person's name
 * means, else all that wait. People who may not answer one learn who may, and can only cancel their own.
 */
async function offerMeant(services: Services, claim: ClaimedRequest, meant: readonly Request[]): Promise<void> {
  const { store, people, policy } = services
  const { row, values } = claim.command
  const { actor, place } = claim.request
  const [word, because] = [String(values['request']), values['because']]
  const asked = (await store.open()).filter((one) => waitsForPeople(one) && isFor(row.deed, one))
  const theirs = meant.length > 0 ? [] : await requestsIn(people.namesOf, asked, word)
  const listed = [meant, theirs].find((some) => some.length > 0) ?? asked
  const mandates =
    row.deed === 'break glass' ? null : await mandatesUnder(services, await store.records(), actor, place)
  const rows = askedRows(services, listed, row.name, typeof because === 'string' ? because : undefined)
  const items = rows.map((item, at) => {
    const one = listed[at]
    if (one === undefined || mandates === null || mandates(one).kind === 'may') return item
    return othersRows(services, [one], actor, (role) => policy().roles[role])[0] ?? item
  })
  const isAnswered = items.some(({ offers }) => offers?.some(({ line }) => line.startsWith(`${row.name} `)))
  const called = meant.length > 0 ? say('request.several', { word }) : say('request.theirs')
  const none = say('request.noneWaits', { word, others: items.length > 0 ? 'yes' : 'no' })
  const title = listed === asked ? none : isAnswered ? called : say('request.notYours')
  const change = items.length > 0 && { change: { shown: { title, items } } }
  return end(services, claim, 'refused', { says: title, ...change })
}
