import type { Picture } from '../../../core/model/answer.ts'
import { isAutomatic, isEnded, type Request } from '../../../core/model/request.ts'
import { sentences } from '../../../core/model/sentences.ts'
import type { Held } from '../../../core/ports/services.ts'
import { type Message, message, paragraph } from '../kit/blocks.ts'
import type { MembersOf } from './approvers.ts'
import { alarmOf } from './break-glass.ts'
import { cardOf } from './card.ts'
import type { ParsedRequest } from './facts.ts'
import { answerOf, noteMessage, sentence } from './query-answer.ts'
import { askOf } from './question.ts'
import { fallbackOf, reminderOf } from './reminders.ts'
import { endOf } from './result.ts'

/** One message that should exist for a request, as it should read now. */
export interface Wanted {
  /** Stable for the life of the request: `card`, `ask.1`, `reminder.1.2`, `end`, `answer`, `note.…`. */
  readonly key: string
  readonly where: 'channel' | 'operations' | 'thread' | 'thread and channel' | 'private'
  /** For private ones: to whom, in which channel, and whose response address serves. */
  readonly to?: {
    readonly user: string
    readonly channel: string
    readonly reply: string
    /** It answers a press in the card's thread, and belongs there. */
    readonly inThread?: boolean
  }
  /** What it says; of a file, what is said in its place when it cannot be sent. */
  readonly message: Message
  readonly file?: WantedFile
  /** Progress may wait and be skipped; ends and questions may not. */
  readonly urgent: boolean
  /** Not before this time, ms: most requests are over sooner, and then need no word in between. */
  readonly notBefore?: number
  /** False: it is only edited where it already stands. */
  readonly fresh: boolean
}

/** A file with the sentence above it. */
export interface WantedFile {
  readonly name: string
  readonly says: string
  /** Which of the files that are kept beside a request, from 0; or what is drawn when it is sent. */
  readonly content: { readonly request: string; readonly at: number } | Picture
}

/** A request that asked nobody and ended within this time ends on its card. ms. */
const quick = 10_000
/** Work that is over sooner than this is shown once, when it is over. ms. */
const instant = 400

/** Every message of a request, in the order they are to be sent: ends first, they overtake progress. */
export function wantedFor(
  held: Pick<Held, 'request' | 'command'>,
  now: number,
  about: string | null,
  membersOf: MembersOf,
): readonly Wanted[] {
  return [...publicOf(held, now, about, membersOf), ...notesOf(held.request)]
}

function publicOf(
  held: Pick<Held, 'request' | 'command'>,
  now: number,
  about: string | null,
  membersOf: MembersOf,
): readonly Wanted[] {
  const { request } = held
  const { status, ask, plan, startedAt } = request
  const ended = isEnded(status)
  if (request.kind === 'query')
    return ended ? [answered(request, about), ...filesOf(request), ...pictureOf(request)] : []
  // Nothing was ever planned, or no channel took it: there is only a sentence for whoever asked.
  if (plan === undefined || request.ending?.privately === true)
    return ended && !isUnasked(request) ? [answered(request, about)] : []
  const notBefore = status === 'running' && ask === undefined ? (startedAt ?? now) + instant : now
  const parsed = { ...request, command: held.command }
  const card: Wanted = {
    key: 'card',
    where: 'channel',
    message: cardOf(parsed, now),
    urgent: status !== 'running',
    notBefore,
    fresh: true,
  }
  // A notice is one message, in the channel where everybody sees it: its card asks by itself.
  const asked = request.requirement === 'notice' ? 0 : (ask?.n ?? 0)
  const asks = Array.from({ length: asked }, (_, at) => askWanted(parsed, at + 1, membersOf))
  const end =
    ended && needsEnd(request)
      ? [{ key: 'end', where: 'thread and channel', message: endOf(parsed), urgent: true, fresh: true } as const]
      : []
  return [...end, card, ...alarmsOf(parsed), ...asks, ...nudgesOf(parsed, membersOf)]
}

/** What a rule has handed in, and nobody took up in time: nobody has asked for it, and the rule looks again by itself. */
function isUnasked(request: Request): boolean {
  return isAutomatic(request) && request.plan === undefined && request.status === 'expired'
}

/** Whether the end deserves a message of its own, because people have stopped looking at the card. */
function needsEnd({ ask, ending, receivedAt, requirement, status, plan = [] }: Request): boolean {
  // What was only told beforehand, and does not happen, is told where it was told.
  if (requirement === 'notice' && (status === 'cancelled' || status === 'declined')) return false
  // What was to be put back, and is not, is told loudly, however soon.
  if (plan.some(({ always }) => always === true) && (status === 'failed' || status === 'attention')) return true
  return ask !== undefined || (ending !== undefined && ending.at - receivedAt > quick)
}

function askWanted(request: ParsedRequest, n: number, membersOf: MembersOf): Wanted {
  const newest = n === request.ask?.n
  const replaced = message('This question has been replaced by a newer one.', [
    paragraph('This question has been replaced by a newer one below.'),
  ])
  return {
    key: `ask.${n}`,
    where: 'thread',
    message: newest ? askOf(request, membersOf) : replaced,
    urgent: true,
    fresh: newest && request.status === 'awaiting',
  }
}

/** Only the newest reminder of the newest ask; the others said what was true, and nobody has to read them again. */
function nudgesOf(request: ParsedRequest, membersOf: MembersOf): readonly Wanted[] {
  const { ask, status } = request
  if (status !== 'awaiting' || ask === undefined) return []
  const reminder = ask.reminded > 0 ? reminderOf(request, ask, membersOf) : null
  return [
    ...nudge(`reminder.${ask.n}.${ask.reminded}`, reminder),
    ...nudge(`fallback.${ask.n}`, fallbackOf(request, ask, membersOf)),
  ]
}

function nudge(key: string, message: Message | null): readonly Wanted[] {
  return message === null ? [] : [{ key, where: 'thread', message, urgent: true, fresh: true }]
}

/** Wherever the glass was broken, the people of the project are told where they all are. */
function alarmsOf(request: ParsedRequest): readonly Wanted[] {
  const message = alarmOf(request)
  return message === null ? [] : [{ key: 'glass', where: 'operations', message, urgent: true, fresh: true }]
}

function answered(request: Request, about: string | null): Wanted {
  const { actor, place, id, open, shown } = request
  if (open === true && shown !== undefined)
    return { key: 'answer', where: 'channel', message: answerOf(request, null), urgent: true, fresh: true }
  const to = { user: actor.user, channel: place.channel, reply: id }
  return { key: 'answer', where: 'private', to, message: answerOf(request, about), urgent: true, fresh: true }
}

function filesOf({ id, files = [], actor, place, shown }: Request): readonly Wanted[] {
  return files.map((name, at) => ({
    key: `file.${at}`,
    where: 'private',
    to: { user: actor.user, channel: place.channel, reply: id },
    message: sentence(sentences.fileUnsent(name)),
    file: { name, says: shown?.title ?? name, content: { request: id, at } },
    urgent: true,
    fresh: true,
  }))
}

/** Goes wherever the answer can be seen: to whoever asked, or to everybody in the channel. */
function pictureOf({ id, actor, place, shown, open }: Request): readonly Wanted[] {
  const picture = shown?.picture
  if (picture === undefined) return []
  const to = { user: actor.user, channel: place.channel, reply: id }
  const wanted = {
    key: 'picture',
    message: sentence(sentences.fileUnsent(picture.name)),
    file: { name: picture.name, says: picture.title, content: picture },
    urgent: true,
    fresh: true,
  }
  return [open === true ? { ...wanted, where: 'channel' } : { ...wanted, where: 'private', to }]
}

function notesOf({ notes }: Request): readonly Wanted[] {
  return notes.map((note) => ({
    key: `note.${note.id}`,
    where: 'private',
    to: { user: note.to.user, channel: note.channel, reply: note.id, inThread: true },
    message: noteMessage(note),
    urgent: true,
    fresh: true,
  }))
}
