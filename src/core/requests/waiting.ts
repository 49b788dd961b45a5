import type { SentenceId } from '../../words/english.ts'
import type { Commands } from '../commands/commands.ts'
import type { Operation, Row } from '../commands/define.ts'
import { longestLine, writeWord } from '../commands/parse.ts'
import type { Offer, QueryAnswer } from '../model/answer.ts'
import { type FieldValues, isAutomatic, isSkipped, type Request } from '../model/request.ts'
import { type Actor, isSame } from '../model/roles.ts'
import { say } from '../model/words.ts'
import type { People, Services } from '../ports/services.ts'
import { isNamed } from '../text/said-names.ts'
import { countOf, expiresOf, knownOf } from './awaited.ts'
import { type ProjectGateway, soon } from './gateway.ts'
import {
  askerOf,
  becauseOf,
  dotted,
  inWords,
  noOf,
  type ParsedRequest,
  parsedBy,
  pressOf,
  questionOf,
  skipOf,
  yesOf,
} from './in-words.ts'

/** Whether a command answers a waiting request. */
export function isAnswer(row: Row | undefined): row is Operation {
  return row?.kind === 'operation' && (row.deed === 'approve' || row.deed === 'decline')
}

/** Returns the requests that this person may answer; empty if the lookup is slow. Notices need no answer. */
export async function waitingFor(gateway: ProjectGateway | undefined, actor: Actor): Promise<readonly Request[]> {
  if (gateway === undefined) return []
  const { home } = gateway
  const found = Promise.all([home.open(), home.answersOf(actor)]).then(([open, may]) =>
    open.filter((one) => one.status === 'awaiting' && one.requirement !== 'notice' && may(one)),
  )
  return soon(found, [])
}

/** Lists the requests that a bare answer, cancel, undo or break-glass could be about. Null for any other line. */
export async function offersInstead(
  context: Pick<Services, 'commands' | 'clock'>,
  gateway: ProjectGateway | undefined,
  actor: Actor,
  { row, values: { because, ...named } }: { readonly row: Row; readonly values: FieldValues },
): Promise<QueryAnswer | null> {
  const deed = row.kind === 'operation' ? row.deed : undefined
  if (gateway === undefined || deed === undefined || Object.keys(named).length > 0) return null
  const own = deed === 'undo' || deed === 'cancel' ? ownOf(gateway, actor, deed) : undefined
  const glass = deed === 'break glass' ? soon(gateway.home.open(), []) : undefined
  const found = glass
    ? (await glass).filter((one) => one.status === 'awaiting' && one.requirement === 'approval')
    : await (own === undefined ? waitingFor(gateway, actor) : soon(own, []))
  const count = found.length
  const reason = typeof because === 'string' ? because : undefined
  const title = own === undefined ? say('menu.waiting', { count }) : say('request.own', { deed, count })
  return { title, items: askedRows(context, found, row.name, reason) }
}

/** Returns a person's open requests, or their last undoable change for each endpoint. */
async function ownOf({ home }: ProjectGateway, actor: Actor, deed: 'undo' | 'cancel'): Promise<readonly Request[]> {
  if (deed === 'undo') return home.undoable(actor)
  return (await home.open()).filter((one) => isSame(one.actor, actor) && !isAutomatic(one))
}

/** Formats requests as on their cards, with buttons to answer them or to run `verb` on them. */
export function askedRows(
  { commands, clock }: Pick<Services, 'commands' | 'clock'>,
  requests: readonly Request[],
  verb: string,
  because?: string,
): QueryAnswer['items'] {
  return requests.slice(0, 5).map((one) => {
    const request = parsedBy(commands, one)
    const isQuestion = one.status === 'awaiting' && one.requirement !== 'notice'
    const since = clock.now() - one.receivedAt
    const ago = since < 60_000 ? '' : say('request.ago', { ago: { lasting: since } })
    const called = isSkipped(one) ? skipOf(one) : inWords(request, 'ask')
    const what = say('request.listed', { what: isQuestion ? questionOf(request) : called })
    const more = isQuestion ? [expiresOf(one), countOf(one)] : [becauseOf(request)]
    return {
      text: isQuestion ? [what, knownOf(request)] : what,
      detail: dotted(askerOf(one), ago, ...more),
      offers: answersTo(commands, request, verb, because),
    }
  })
}

function answersTo({ find }: Commands, request: ParsedRequest, verb: string, because?: string): readonly Offer[] {
  const lineFor = (each: string) => {
    const line = `${each} ${writeWord(request.id)}`
    const whole = because === undefined || each !== verb ? line : `${line} because=${writeWord(because)}`
    // The longest reason does not fit beside an id.
    return whole.length > longestLine ? line : whole
  }
  if (verb !== 'approve' && verb !== 'decline') {
    const does = say(`${verb}.ask` as SentenceId)
    const about = isSkipped(request) ? skipOf(request) : pressOf(request)
    // "Cancel: Save schedule" would read as two actions.
    const isRecords = verb === 'cancel' && request.change !== undefined
    const label = isRecords ? say('request.cancelThis') : say('request.answer', { verb: does, about })
    // Break-glass needs a reason, which its form asks for.
    const field = find(verb)?.fields['because']
    const isAsked = because === undefined && field !== undefined && field.optional !== true
    return [{ label, line: lineFor(verb), ...(isAsked && { opens: 'form' }) }]
  }
  const no = { label: noOf(request), line: lineFor('decline') }
  return [
    { label: yesOf(request), line: lineFor('approve') },
    request.requirement === 'approval' ? { ...no, opens: 'form' } : no,
  ]
}

/** Lists the waiting requests; only those of the endpoint or person that `word` names, if there are any. */
export async function waitingRows(
  context: Pick<Services, 'commands' | 'clock'>,
  gateway: ProjectGateway | undefined,
  waiting: readonly Request[],
  { word, verb }: { readonly word: string; readonly verb: string },
): Promise<QueryAnswer> {
  const on = waiting.filter(({ endpoint }) => endpoint?.name === word)
  const isKnown = word === '' || on.length > 0
  const theirs = isKnown || gateway === undefined ? on : await askedByOne(gateway.namesOf, waiting, word)
  const listed = theirs.length > 0 ? theirs : waiting
  const title =
    word !== '' && waiting.length > 0 && theirs.length === 0
      ? say('request.noneWaits', { word, others: 'yes' })
      : say('menu.waiting', { count: listed.length })
  return { title, items: askedRows(context, listed, verb) }
}

/** Returns the requests whose requester is named by one of the typed words. */
export async function askedByOne(namesOf: People['namesOf'], requests: readonly Request[], typed: string) {
  const words = typed.toLowerCase().split(/[\s?!.,’']+/)
  const isMeant = async ({ actor: { user } }: Request) => {
    const names = [user, ...((await soon(namesOf(user), null)) ?? [])]
    return words.some((word) => isNamed(word, names))
  }
  const meant = await Promise.all(requests.map(isMeant))
  return requests.filter((_, at) => meant[at])
}

/**
 * Picks the offer to run at once: queries, because an answer changes nothing, and "my-llm stop", which is as clear as
 * "stop my-llm".
 */
export function questionIn(
  { stored, find }: Commands,
  { via, typed }: Pick<Request, 'via'> & { readonly typed: string },
  { offers = [] }: { readonly offers?: readonly Offer[] },
): string | undefined {
  const [first, ...others] = offers
  if (via !== 'typed' || first === undefined) return undefined
  const [, verb = '', ...more] = typed.trim().toLowerCase().split(/\s+/)
  const rows = offers.map(({ line }) => find(line.split(' ')[0] ?? ''))
  const isTurned = rows[0] === find(verb) && more.length === 0 && others.length === 0 && stored(first.line) !== null
  // "undo that" is as clear as "undo": it means the last change.
  const isDeed = rows[0]?.kind === 'operation' && rows[0].deed !== undefined && rows[0].name === first.line
  return isTurned || isDeed || rows.every((row) => row?.kind === 'query') ? first.line : undefined
}
