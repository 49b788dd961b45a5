import { defined } from '../../core/model/defined.ts'
import type { QueryAnswer } from '../../core/model/query-answer.ts'
import { newTokenIn } from '../../core/model/records.ts'
import { isAutomatic, isEnded, type Request, waitsForPeople } from '../../core/model/request.ts'
import { isSame, policyFile } from '../../core/model/roles.ts'
import { startedBy } from '../../core/model/rules.ts'
import { isCalendar } from '../../core/model/token.ts'
import { quoted, say } from '../../core/model/words.ts'
import { confirmerOf, type MembersOf } from '../../core/policy/who-answers.ts'
import type { ClaimedRequest } from '../../core/ports/services.ts'
import { failureOffers } from '../../core/requests/end.ts'
import type { ParsedRequest } from '../../core/requests/in-words.ts'
import { cardOf } from './card.ts'
import {
  answerDraft,
  buttonsPart,
  type Draft,
  draft,
  lineButton,
  offersPart,
  type PlannedMessage,
  sentenceDraft,
  smallPart,
  textPart,
} from './draft.ts'
import { endOf, shortEndOf } from './end.ts'
import { alarmOf } from './facts.ts'
import { groupCard } from './group.ts'
import { askOf, fallbackOf, overOf, ownAskOf, reminderOf } from './question.ts'

/** A request without a question that ended this quickly needs no message besides its card, ms. */
const quick = 10_000
/** Work that ends sooner is shown only once, when it has ended, ms. */
const instant = 400
/** How long to wait for the requests of one rule at one time, ms. Notifications show only the first post. */
const gathering = 1_000
/** A notice that is given again this long after its post is a new post, because edits notify nobody. ms. */
const longAgo = 6 * 3_600_000
/** Notices of one group that come this long after its post are a new post too, ms. */
const sameTime = 60_000

/** Lists a request's messages in the order of sending: results first, so that progress does not delay them. */
export function plannedMessages(...given: Parameters<typeof publicOf>): readonly PlannedMessage[] {
  const [claim] = given
  const { request } = claim
  // Only an operation has a command to parse.
  const step = request.through?.step === undefined ? [] : stepEndOf({ ...request, command: claim.command })
  return [...publicOf(...given), ...notesOf(request), ...step]
}

function publicOf(
  claim: Pick<ClaimedRequest, 'request' | 'command'>,
  now: number,
  about: string | null,
  membersOf: MembersOf,
  together: readonly Request[] = [],
  askedAt: string | null = null,
): readonly PlannedMessage[] {
  const { request } = claim
  const { kind, status, via, ask, plan, startedAt, through, endpoint } = request
  const ended = isEnded(status)
  if (kind === 'query') return ended && through === undefined ? [answered(request, about), ...filesOf(request)] : []
  // Nothing was planned, or no channel accepted the card. The requester gets a sentence instead.
  const isPrivate = plan === undefined || request.ending?.privately === true
  // The card of the other request, where the button was pressed, shows the result of a press.
  const isShown = (status === 'succeeded' && via === 'button') || isUnasked(request) || through !== undefined
  const answer = isPrivate && ended && !isShown ? [answered(request, about)] : []
  const parsed = { ...request, command: claim.command }
  // Its owner asked for nothing now, so the sentence says what ended, once that was found.
  if (plan === undefined && isAutomatic(request) && request.endpoint)
    return answer.map((one) => ({ ...one, draft: endOf(parsed) }))
  if (plan === undefined) return answer
  const shownAt = status === 'running' && ask === undefined ? (startedAt ?? now) + instant : now
  const notBefore = request.group === undefined ? shownAt : Math.max(shownAt, request.receivedAt + gathering)
  const newest = newestOfEach(together)
  // Its next attempt took its place.
  if (newest.length > 0 && newest.every(({ id }) => id !== request.id)) return []
  const tries = together.filter((one) => one.endpoint?.id === endpoint?.id && one.status === 'failed' && !isSoon(one))
  // Ends in a group are edited in, and only failures get a message of their own.
  const isTold = ended && !isPrivate && (newest.length < 2 || hasOwnEnd(request))
  const told = isTold ? endPlace(request, newest, tries.length) : null
  const end = told === null ? [] : [message('end', told, told === 'thread' ? shortEndOf(parsed) : endOf(parsed))]
  if (newest.length > 1) return [...end, ...inGroup(parsed, newest, notBefore)]
  // After the question is posted in the thread, the card may wait.
  const urgent = status !== 'running' && askedAt === null
  const [drawn, ...outdated] = cardsOf(cardOf(parsed, now, askedAt), [request])
  const card = { ...drawn, ...askerIn(request), urgent, notBefore }
  // A notice is a single message in the channel: its card has the buttons.
  const asked = request.requirement === 'notice' ? 0 : (ask?.n ?? 0)
  const asks = Array.from({ length: asked }, (_, at) => askWanted(parsed, at + 1, membersOf))
  const alarm = alarmOf(parsed)
  const all = [
    ...secretOf(request),
    ...end,
    card,
    ...outdated,
    ...(alarm === null ? [] : [message('glass', 'operations', alarm)]),
    ...ownAskOfRequester(parsed),
    ...asks,
    ...nudgesOf(parsed, membersOf),
  ]
  // What was posted before, such as a question with its buttons, must not stay as it is.
  return isPrivate ? [...answer, ...all.map((one) => ({ ...one, fresh: false }))] : all
}

/** Returns each endpoint's newest request, without those that ended before they were planned and have no card. */
function newestOfEach(together: readonly Request[]): readonly Request[] {
  const counted = together.filter(({ plan, status }) => plan !== undefined || !isEnded(status))
  return [...new Map(counted.map((one) => [one.endpoint?.id ?? one.id, one])).values()]
}

function inGroup({ command }: ParsedRequest, together: readonly Request[], notBefore: number) {
  const [card, ...outdated] = cardsOf(groupCard(command.row, together), together)
  const urgent = together.every((one) => one.status === 'awaiting') || together.every((one) => isEnded(one.status))
  const again = Math.max(...together.map(({ ask }) => ask?.at ?? 0)) + gathering
  return [{ ...card, urgent, notBefore: Math.max(notBefore, again) }, ...outdated]
}

/** The card, and for a notice that was given again or came later, what becomes of an earlier post. */
function cardsOf(what: Draft, requests: readonly Request[]): readonly [PlannedMessage, ...PlannedMessage[]] {
  const card = message('card', 'channel', what)
  const notices = requests.flatMap(({ ask, requirement }) => (requirement === 'notice' && ask ? [ask] : []))
  const first = Math.min(...notices.map(({ at }) => at))
  const again = notices.flatMap(({ n, at }) => (n > 1 ? [at - longAgo] : at > first + sameTime ? [at - sameTime] : []))
  if (again.length === 0) return [card]
  const outdated = message('card.old', 'channel', sentenceDraft(say('notice.again')))
  return [
    { ...card, anewAfter: Math.max(...again) },
    { ...outdated, fresh: false },
  ]
}

/** A message that people should see soon, unless overridden. */
function message(key: string, where: PlannedMessage['where'], what: Draft): PlannedMessage {
  return { key, where, draft: what, urgent: true, fresh: true }
}

/** Whether nobody asked for it, and its rule tries again. A schedule says so when it gives up. */
function isUnasked({ via, plan, status, actor, ...rest }: Request): boolean {
  const isTriedAgain = via === 'schedule' ? !isRun(rest) : via === 'idle' && status === 'expired'
  return (plan === undefined && isTriedAgain) || isSame(actor, policyFile)
}

/** Whether it starts a run. That is tried only once, and the person who asked for it waits. */
function isRun({ asked, occurrence }: Pick<Request, 'asked' | 'occurrence'>): boolean {
  return asked !== undefined && startedBy(occurrence) !== undefined
}

/**
 * Where to post the end besides the card. The thread notifies the requester; failures also go to the channel, of
 * several that failed in one group only the first: the card above it lists all.
 */
function endPlace(request: Request, group: readonly Request[], tries: number): 'thread' | 'thread and channel' | null {
  const { actor, plan = [], status } = request
  // Its first failure was told.
  if (status === 'failed' && tries > 1) return null
  // A failure to restore the endpoint is always announced in the channel.
  if (hasOwnEnd(request) && plan.some(({ always }) => always === true)) return 'thread and channel'
  if (isSoon(request) || isWithdrawn(request)) return null
  if (hasOwnEnd(request) && !group.some((one) => failedBefore(one, request))) return 'thread and channel'
  // Nobody waits for what a rule does, and its card says how it ended. An owner who was told of a failure waits.
  const isMended = status === 'succeeded' && tries > 0 && !isSame(actor, policyFile)
  return isMended || !isAutomatic(request) || isRun(request) ? 'thread' : null
}

function isSoon({ ask, ending, receivedAt }: Request): boolean {
  return ask === undefined && ending !== undefined && ending.at - receivedAt <= quick
}

/** Whether the channel was told of another one's failure first. Only the card shows one that came soon. */
function failedBefore(one: Request, { id, status, ending }: Request): boolean {
  if (status !== 'failed' || one.status !== 'failed' || one.id === id || isSoon(one)) return false
  const [mine, other] = [ending?.at ?? 0, one.ending?.at ?? 0]
  return other === mine ? one.id < id : other < mine
}

/** Whether something went wrong while it was done. */
function hasOwnEnd({ status }: Request): boolean {
  return status === 'failed' || status === 'attention'
}

/** Whether the requester cancelled or declined the request, and so knows. */
function isWithdrawn({ actor, decision, ending, status }: Request): boolean {
  const by = ending?.by ?? (decision?.yes === false ? decision.by : undefined)
  return (status === 'cancelled' || status === 'declined') && by !== undefined && isSame(by, actor)
}

function askWanted(request: ParsedRequest, n: number, membersOf: MembersOf): PlannedMessage {
  const newest = n === request.ask?.n
  const replaced = draft(say('ask.replaced'), [textPart(say('ask.replacedBelow'))])
  const asked = message(`ask.${n}`, 'thread', newest ? askOf(request, membersOf) : replaced)
  return { ...asked, ...(newest && askerIn(request)), fresh: newest && request.status === 'awaiting' }
}

/** The person who asked by hand and waits for an answer. */
function askerIn(request: Request): Pick<PlannedMessage, 'asker'> {
  const isAsking = waitsForPeople(request) && request.through === undefined && !isAutomatic(request)
  return isAsking ? { asker: request.actor } : {}
}

/** A requester who may confirm gets the buttons where they asked. The thread has the same buttons for others. */
function ownAskOfRequester(request: ParsedRequest): readonly PlannedMessage[] {
  const { ask, requirement, status } = request
  const isByHand = !isAutomatic(request) && request.through === undefined
  const isTheirs = requirement === 'confirmation' && confirmerOf(request) !== 'admin' && isByHand
  if (!isTheirs || ask === undefined || status !== 'awaiting') return []
  return [{ ...message(`own.${ask.n}`, 'private', ownAskOf(request, ask)), to: recipientOf(request) }]
}

/** The newest reminder of the newest ask. After the answer, every reminder shows that answer instead. */
function nudgesOf(request: ParsedRequest, membersOf: MembersOf): readonly PlannedMessage[] {
  const { ask, status } = request
  if (ask === undefined) return []
  if (status !== 'awaiting') {
    const reminders = Array.from({ length: ask.reminded }, (_, at) => `reminder.${ask.n}.${at + 1}`)
    const over = overOf(request)
    const fallbacks = ask.fellBackAt === undefined ? [] : [`fallback.${ask.n}`]
    return [...reminders, ...fallbacks].map((key) => ({ ...message(key, 'thread', over), fresh: false }))
  }
  const reminder = ask.reminded > 0 ? reminderOf(request, ask, membersOf) : null
  const fallback = fallbackOf(request, ask, membersOf)
  return [
    ...(reminder === null ? [] : [message(`reminder.${ask.n}.${ask.reminded}`, 'thread', reminder)]),
    ...(fallback === null ? [] : [message(`fallback.${ask.n}`, 'thread', fallback)]),
  ]
}

function stepEndOf(request: ParsedRequest): readonly PlannedMessage[] {
  const { id, through, status, plan, ending, decision } = request
  if (through?.step === undefined || ending === undefined) return []
  const says = plan === undefined ? ending.says : endOf(request).says
  const { by, because } = decision ?? {}
  // If the requested state already holds, the workflow can continue.
  const told = ending.holds ? 'succeeded' : status
  const report = defined({ step: through.step, request: id, status: told, by, because })
  return [{ ...message('step', 'workflow', draft(says, [])), report }]
}

/** Sends a new token to its person only. A terminal that asked for one has it already. */
function secretOf({ id, actor, change, status }: Request): readonly PlannedMessage[] {
  const made = newTokenIn(change)
  if (made === undefined || made.id !== id || status !== 'succeeded') return []
  const secret = isCalendar(made) ? 'address' : 'token'
  const says = sentenceDraft(say(isCalendar(made) ? 'token.address' : 'token.secret', { name: made.name }))
  return [{ ...message('secret', 'private', says), to: { user: actor.user, channel: actor.user, reply: id }, secret }]
}

function answered(request: Request, about: string | null): PlannedMessage {
  if (request.open === true && request.shown !== undefined) return message('answer', 'channel', answerOf(request, null))
  return { ...message('answer', 'private', answerOf(request, about)), to: recipientOf(request) }
}

function filesOf(request: Request): readonly PlannedMessage[] {
  const { id, files = [], shown } = request
  return files.map((name, at) => ({
    ...message(`file.${at}`, 'private', sentenceDraft(say('file.unsent', { name: name }))),
    to: recipientOf(request),
    file: { name, says: shown?.title ?? name, content: { request: id, at } },
  }))
}

/** Where the person who asked gets a message of their own. */
function recipientOf({ actor, place, id }: Request): NonNullable<PlannedMessage['to']> {
  return { user: actor.user, channel: place.channel, reply: id }
}

function notesOf({ notes }: Request): readonly PlannedMessage[] {
  return notes.map((note) => ({
    ...message(`note.${note.id}`, 'private', sentenceDraft(note.says)),
    to: { user: note.to.user, channel: note.channel, reply: note.id, inThread: note.outside !== true },
  }))
}

/** A query's answer: private with [Post to channel], or open to the channel with the person who asked. */
export function answerOf(request: Request, about: string | null): Draft {
  const { shown, ending, line, open, actor } = request
  if (shown === undefined) {
    const says = [ending?.says ?? '', ending?.told ?? '', quoted(ending)]
    const link = about === null ? [] : [' ', { link: about, label: say('answer.goTo') }]
    return draft(says, [textPart(says, ...link), ...offersPart(failureOffers(request))])
  }
  const { says, parts } = answerDraft(shown)
  // A report that nobody asked for shows the command that gets it.
  const asked = isSame(actor, policyFile) ? smallPart(`/endpoint ${line}`) : smallPart({ person: actor }, line)
  if (open === true) return draft(says, [...parts, asked])
  // A file is only for the person who asked, so it is not offered to the channel. Neither is a choice.
  if (request.files !== undefined || request.kind === 'operation' || isBare(shown)) return draft(says, parts)
  // The answer's own buttons and [Post to channel] share one row.
  const { offers = [], ...answer } = shown
  const show = { label: say('answer.showHere'), does: 'show', value: line } as const
  return draft(says, [...answerDraft(answer).parts, buttonsPart(...offers.slice(0, 9).map(lineButton), show)])
}

/** An answer without results is useless to a channel. */
function isBare({ items, block, chart, offers = [] }: QueryAnswer): boolean {
  return items.length === 0 && block === undefined && chart === undefined && offers.length === 0
}
