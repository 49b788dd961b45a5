import type { QueryAnswer } from '../../core/model/answer.ts'
import { newTokenIn } from '../../core/model/records.ts'
import { isAutomatic, isEnded, type Request } from '../../core/model/request.ts'
import { isSame, policyFile } from '../../core/model/roles.ts'
import { isCalendar } from '../../core/model/token.ts'
import { quoted, say } from '../../core/model/words.ts'
import { confirmerOf, type MembersOf } from '../../core/policy/who-answers.ts'
import type { ClaimedRequest } from '../../core/ports/services.ts'
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
import { alarmOf } from './glass.ts'
import { groupCard, stageOf } from './group.ts'
import { askOf, fallbackOf, overOf, ownAskOf, reminderOf } from './question.ts'

/** A request that asked nobody and ended within this time ends on its card. ms. */
const quick = 10_000
/** Work that is over sooner than this is shown once, when it is over. ms. */
const instant = 400
/** Until when those that a rule does at one time have come in: the first post is all that notifications read. ms. */
const gathering = 1_000

/** Every message of a request, in the order they are sent: results first, so that progress does not delay them. */
export function plannedMessages(...given: Parameters<typeof publicOf>): readonly PlannedMessage[] {
  const [held] = given
  const { request } = held
  // Only an operation has a command to read.
  const step = request.through?.step === undefined ? [] : stepEndOf({ ...request, command: held.command })
  return [...publicOf(...given), ...notesOf(request), ...step]
}

function publicOf(
  held: Pick<ClaimedRequest, 'request' | 'command'>,
  now: number,
  about: string | null,
  membersOf: MembersOf,
  together: readonly Request[] = [],
  askedAt: string | null = null,
): readonly PlannedMessage[] {
  const { request } = held
  const { status, ask, plan, startedAt } = request
  const ended = isEnded(status)
  if (request.kind === 'query' && request.through !== undefined) return []
  if (request.kind === 'query') return ended ? [answered(request, about), ...filesOf(request)] : []
  // Nothing was ever planned, or no channel took it: there is only a sentence for whoever asked.
  if (plan === undefined || request.ending?.privately === true)
    return ended && !isUnasked(request) && !isShown(request) && request.through === undefined
      ? [answered(request, about)]
      : []
  const shownAt = status === 'running' && ask === undefined ? (startedAt ?? now) + instant : now
  const notBefore = request.group === undefined ? shownAt : Math.max(shownAt, request.receivedAt + gathering)
  const parsed = { ...request, command: held.command }
  if (together.length > 1) return inGroup(parsed, together, notBefore)
  // Once the question stands in the thread, the card may wait.
  const urgent = status !== 'running' && askedAt === null
  const card = { ...message('card', 'channel', cardOf(parsed, now, askedAt)), ...askerIn(request), urgent, notBefore }
  // A notice is one message, in the channel where everybody sees it: its card asks by itself.
  const asked = request.requirement === 'notice' ? 0 : (ask?.n ?? 0)
  const asks = Array.from({ length: asked }, (_, at) => askWanted(parsed, at + 1, membersOf))
  const told = ended ? endPlace(request) : null
  const end = told === null ? [] : [message('end', told, told === 'thread' ? shortEndOf(parsed) : endOf(parsed))]
  return [
    ...secretOf(request),
    ...end,
    card,
    ...alarmsOf(parsed),
    ...ownAskOfRequester(parsed),
    ...asks,
    ...nudgesOf(parsed, membersOf),
  ]
}

/** One card shows them all: their ends are edited in, and only what went wrong is told beside it. */
function inGroup(request: ParsedRequest, together: readonly Request[], notBefore: number): readonly PlannedMessage[] {
  const { command, status } = request
  const card = message('card', 'channel', groupCard(command.row, together))
  const urgent = together.every((one) => one.status === 'awaiting') || together.every((one) => isEnded(one.status))
  const isWrong = isEnded(status) && stageOf(request) === 'failed'
  const end = isWrong ? [message('end', endPlace(request) ?? 'thread', endOf(request))] : []
  return [...end, { ...card, urgent, notBefore }]
}

/** What everybody has to see soon, unless it says otherwise. */
function message(key: string, where: PlannedMessage['where'], what: Draft): PlannedMessage {
  return { key, where, draft: what, urgent: true, fresh: true }
}

/** What a rule has handed in, and nobody took up in time: nobody has asked for it, and the rule looks again by itself. */
function isUnasked(request: Request): boolean {
  return isAutomatic(request) && request.plan === undefined && request.status === 'expired'
}

/** The card of another request shows it, right where its button was pressed. */
function isShown({ status, via }: Request): boolean {
  return status === 'succeeded' && via === 'button'
}

/**
 * Where the end is told beside its card, once people have stopped looking there: in the thread, where its mention reaches
 * the requester, and to the whole channel only what went wrong. Null: the card says all.
 */
function endPlace(request: Request): 'thread' | 'thread and channel' | null {
  const { ask, ending, receivedAt, requirement, status, plan = [] } = request
  const isWrong = status === 'failed' || status === 'attention'
  // What was to be put back, and is not, is told loudly, however soon.
  if (isWrong && plan.some(({ always }) => always === true)) return 'thread and channel'
  // What was only told beforehand, and does not happen, is told where it was told.
  if (requirement === 'notice' && (status === 'cancelled' || status === 'declined')) return null
  const isSoon = ask === undefined && ending !== undefined && ending.at - receivedAt <= quick
  if (isSoon || isWithdrawn(request)) return null
  return isWrong ? 'thread and channel' : 'thread'
}

/** By its own requester, who needs no word of it. */
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

/** Who asks by hand and waits for an answer. */
function askerIn({ actor, requirement, status, through, ...request }: Request): Pick<PlannedMessage, 'asker'> {
  const isAsking = status === 'awaiting' && requirement !== 'notice' && through === undefined && !isAutomatic(request)
  return isAsking ? { asker: actor } : {}
}

/** Whoever may confirm their own request has the buttons at hand, where they asked; the thread has the same for others. */
function ownAskOfRequester(request: ParsedRequest): readonly PlannedMessage[] {
  const { actor, ask, id, place, requirement, status } = request
  const isByHand = !isAutomatic(request) && request.through === undefined
  const isTheirs = requirement === 'confirmation' && confirmerOf(request) !== 'admin' && isByHand
  if (!isTheirs || ask === undefined || status !== 'awaiting') return []
  const to = { user: actor.user, channel: place.channel, reply: id }
  return [{ key: `own.${ask.n}`, where: 'private', to, draft: ownAskOf(request, ask), urgent: true, fresh: true }]
}

/** The newest reminder of the newest ask. Once that is answered, none of them asks any more. */
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

/** Wherever the glass was broken, the people of the project are told where they all are. */
function alarmsOf(request: ParsedRequest): readonly PlannedMessage[] {
  const alarm = alarmOf(request)
  return alarm === null ? [] : [message('glass', 'operations', alarm)]
}

/** The end for the step of a workflow, where one waits for it. */
function stepEndOf(request: ParsedRequest): readonly PlannedMessage[] {
  const { id, through, status, plan, ending, decision } = request
  if (through?.step === undefined || ending === undefined) return []
  const says = plan === undefined ? ending.says : endOf(request).says
  const { by, because } = decision ?? {}
  // What holds already is no reason to end a workflow.
  const report = {
    step: through.step,
    request: id,
    status: ending.holds ? 'succeeded' : status,
    ...(by && { by }),
    ...(because && { because }),
  }
  return [{ key: 'step', where: 'workflow', draft: draft(says, []), report, urgent: true, fresh: true }]
}

/** A new token, to its person alone; the terminal that asked for one has it already. */
function secretOf({ id, actor, change, status }: Request): readonly PlannedMessage[] {
  const made = newTokenIn(change)
  if (made === undefined || made.id !== id || status !== 'succeeded') return []
  const secret = isCalendar(made) ? 'address' : 'token'
  const says = sentenceDraft(say(isCalendar(made) ? 'token.address' : 'token.secret', { name: made.name }))
  return [{ ...message('secret', 'private', says), to: { user: actor.user, channel: actor.user, reply: id }, secret }]
}

function answered(request: Request, about: string | null): PlannedMessage {
  if (request.open === true && request.shown !== undefined) return message('answer', 'channel', answerOf(request, null))
  return { ...message('answer', 'private', answerOf(request, about)), to: askerOf(request) }
}

function filesOf(request: Request): readonly PlannedMessage[] {
  const { id, files = [], shown } = request
  return files.map((name, at) => ({
    ...message(`file.${at}`, 'private', sentenceDraft(say('file.unsent', { name: name }))),
    to: askerOf(request),
    file: { name, says: shown?.title ?? name, content: { request: id, at } },
  }))
}

function askerOf({ actor, place, id }: Request): NonNullable<PlannedMessage['to']> {
  return { user: actor.user, channel: place.channel, reply: id }
}

function notesOf({ notes }: Request): readonly PlannedMessage[] {
  return notes.map((note) => ({
    ...message(`note.${note.id}`, 'private', sentenceDraft(note.says)),
    to: { user: note.to.user, channel: note.channel, reply: note.id, inThread: true },
  }))
}

/** What a query has come to: private with [Show here], or open to the channel with who asked. */
export function answerOf(request: Request, about: string | null): Draft {
  const { shown, ending, line, open, actor } = request
  if (shown === undefined) {
    const says = [ending?.says ?? '', ending?.told ?? '', quoted(ending)]
    const link = about === null ? [] : [' ', { link: about, label: say('answer.goTo') }]
    return draft(says, [textPart(says, ...link), ...offersPart(ending?.offers)])
  }
  const { says, parts } = answerDraft(shown)
  // What nobody asked for by name says how anybody may ask for it.
  const asked = isSame(actor, policyFile) ? smallPart(`/endpoint ${line}`) : smallPart({ person: actor }, line)
  if (open === true) return draft(says, [...parts, asked])
  // A file is only for whoever asked, so it is not offered to the channel; nor is a choice.
  if (request.files !== undefined || request.kind === 'operation' || isBare(shown)) return draft(says, parts)
  // Its own buttons and the one that shows it stand in one row.
  const { offers = [], ...answer } = shown
  const show = { label: say('answer.showHere'), does: 'show', value: line } as const
  return draft(says, [...answerDraft(answer).parts, buttonsPart(...offers.slice(0, 9).map(lineButton), show)])
}

/** An answer that found nothing is of no use to a channel. */
function isBare({ items, block, chart, offers = [] }: QueryAnswer): boolean {
  return items.length === 0 && block === undefined && chart === undefined && offers.length === 0
}
