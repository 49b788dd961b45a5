import type { SentenceId } from '../../words/english.ts'
import type { Command, Commands } from '../commands/commands.ts'
import type { Deed } from '../commands/define.ts'
import { exampleName } from '../commands/examples.ts'
import { longestLine } from '../commands/parse.ts'
import { writeWord } from '../commands/quoting.ts'
import type { Offer, QueryAnswer } from '../model/query-answer.ts'
import { idWord } from '../model/question.ts'
import { isAutomatic, type Request, waitsForPeople } from '../model/request.ts'
import { type Actor, isSame } from '../model/roles.ts'
import { say, type Words } from '../model/words.ts'
import type { MembersOf } from '../policy/who-answers.ts'
import type { Services } from '../ports/services.ts'
import { awaitedOf, countOf, expiresOf, knownOf } from './awaited.ts'
import { inTime, type ProjectGateway, type Visit } from './gateway.ts'
import {
  askerOf,
  askWord,
  becauseOf,
  dotted,
  labelOn,
  noOf,
  type ParsedRequest,
  parsedBy,
  phraseOrSkip,
  pressOf,
  questionOf,
  requestsIn,
  yesOf,
} from './in-words.ts'

/** The most requests that an answer lists, within Slack's limit of blocks. */
const mostRows = 12

interface Waiting {
  readonly asked: readonly Request[]
  readonly may: (request: Request) => boolean
}

/** Returns the requests that wait for an answer; none if the lookup is slow. Notices need no answer. */
export async function waitingFor({ home, store }: ProjectGateway, actor: Actor, how?: 'decline'): Promise<Waiting> {
  const found = Promise.all([store.open(), home.answersOf(actor, how)]).then(([open, may]) => ({
    // Fewer people can give an approval, so it comes before confirmations.
    asked: open
      .filter(waitsForPeople)
      .toSorted((a, b) => Number(b.requirement === 'approval') - Number(a.requirement === 'approval')),
    may,
  }))
  return inTime(found, { asked: [], may: () => false })
}

/**
 * Lists the requests that a bare answer, cancel, undo or break-glass could be about, without the one just `answered`.
 * Null for any other line.
 */
export async function offersInstead(visit: Visit, wanted: Command, answered?: string): Promise<QueryAnswer | null> {
  const { gateway } = visit
  const { row, values } = wanted
  const { deed } = row
  const { because, ...named } = values
  if (gateway === undefined || deed === undefined || Object.keys(named).length > 0) return null
  const found = (await inTime(meantByDeed(visit, gateway, deed), [])).filter(({ id }) => id !== answered)
  const count = found.length
  const reason = typeof because === 'string' ? because : undefined
  const isOwn = deed === 'undo' || deed === 'cancel'
  const title = isOwn ? say('request.own', { deed, count }) : say('menu.waiting', { count })
  return { title, items: inList(askedRows(visit, found, row.name, reason)), ...moreOf(count, row.name) }
}

/** Marks the offers of a list that `offersInstead` can make again. */
function inList(items: QueryAnswer['items']): QueryAnswer['items'] {
  const last = items.length === 1
  return items.map(({ offers = [], ...item }) => ({ ...item, offers: offers.map((one) => ({ ...one, last })) }))
}

async function meantByDeed({ commands, actor }: Visit, gateway: ProjectGateway, deed: Deed) {
  const { home, store } = gateway
  if (deed === 'undo') return home.undoable(actor)
  // The cancel that is being carried out is open too.
  const isCancel = ({ line }: Request) => commands.operation(line).row.deed === 'cancel'
  if (deed === 'cancel')
    return (await store.open()).filter((one) => isSame(one.actor, actor) && !isAutomatic(one) && !isCancel(one))
  if (deed === 'break glass')
    return (await store.open()).filter((one) => one.status === 'awaiting' && one.requirement === 'approval')
  const { asked, may } = await waitingFor(gateway, actor)
  return asked.filter(may)
}

/** Formats requests as on their cards, with buttons to answer them or to run `verb` on them. */
export function askedRows(
  { commands, clock }: Pick<Services, 'commands' | 'clock'>,
  requests: readonly Request[],
  verb: string,
  because?: string,
): QueryAnswer['items'] {
  return requests.slice(0, mostRows).map((one) => {
    const request = parsedBy(commands, one)
    const isQuestion = waitsForPeople(one)
    const since = clock.now() - (one.ending?.at ?? one.receivedAt)
    const ago = since < 60_000 ? '' : say('request.ago', { ago: { lasting: since } })
    const called = phraseOrSkip(commands, one)
    const what = say('request.listed', { what: isQuestion ? questionOf(request) : called })
    const more = isQuestion ? [expiresOf(one), countOf(one)] : [becauseOf(request)]
    return {
      text: isQuestion ? [what, knownOf(request)] : what,
      detail: dotted(askerOf(one), ago, ...more),
      offers: answersTo(commands, request, verb, because),
    }
  })
}

function answersTo(
  { find }: Commands,
  request: ParsedRequest,
  verb: string,
  because: string | undefined,
): readonly Offer[] {
  const lineFor = (each: string) => {
    const line = `${each} ${each === 'undo' || each === 'cancel' ? writeWord(request.id) : askWord(request)}`
    const whole = because === undefined || each !== verb ? line : `${line} because=${writeWord(because)}`
    // The longest reason does not fit beside an id.
    return whole.length > longestLine ? line : whole
  }
  if (verb !== 'approve' && verb !== 'decline') {
    const label =
      verb === 'undo' || verb === 'cancel'
        ? labelOn(request, verb === 'undo' ? 'undo.offer' : 'request.cancels')
        : say('request.answer', { verb: say(`${verb}.ask` as SentenceId), about: pressOf(request) })
    // Break-glass needs a reason, which its form asks for.
    const field = find(verb)?.fields['because']
    const isAsked = field !== undefined && field.optional !== true
    return [{ label, line: lineFor(verb), ...(isAsked && { opens: 'form' }) }]
  }
  const no = { label: noOf(request), line: lineFor('decline') }
  return [
    { label: yesOf(request), line: lineFor('approve') },
    request.requirement === 'approval' ? { ...no, opens: 'form' } : no,
  ]
}

/** Says who may decline the request that a button's line names by id, if this person may not; otherwise null. */
export async function whyNotDecline(visit: Visit, { row, values }: Command): Promise<Words | null> {
  const { gateway, commands, actor } = visit
  const [, id] = idWord.exec(String(values['request'])) ?? []
  if (gateway === undefined || id === undefined || row.deed !== 'decline') return null
  const { asked, may } = await waitingFor(gateway, actor, 'decline')
  const found = asked.find((one) => one.id === id)
  if (found === undefined || may(found)) return null
  return [say('request.notYours'), awaitedOf(parsedBy(commands, found), gateway.home.membersOf)]
}

/** Formats requests that this person may not answer: who may. They can only cancel their own. */
export function othersRows(
  context: Pick<Services, 'commands' | 'clock'>,
  requests: readonly Request[],
  actor: Actor,
  membersOf: MembersOf,
): QueryAnswer['items'] {
  return askedRows(context, requests, 'cancel').map(({ offers, ...item }, at) => {
    const request = parsedBy(context.commands, requests[at] as Request)
    const detail = dotted(askerOf(request), awaitedOf(request, membersOf))
    return { ...item, detail, offers: isSame(request.actor, actor) ? (offers ?? []) : [] }
  })
}

/** Lists the waiting requests, those that this person may answer first; or only those that a sentence names. */
export async function waitingRows(
  visit: Visit,
  { home, namesOf }: ProjectGateway,
  { asked, may }: Waiting,
  word: string,
  verb: string,
): Promise<QueryAnswer> {
  const named = await requestsIn(namesOf, asked, visit.typed)
  const listed = named.length > 0 ? named : asked
  const [own, others] = [listed.filter(may), listed.filter((one) => !may(one))]
  const isUnknown = word !== '' && asked.length > 0 && named.length === 0
  const title =
    named.length > 0 && own.length === 0
      ? say('request.notYours')
      : isUnknown
        ? say('request.noneWaits', { word, others: 'yes' })
        : say('menu.waiting', { count: own.length })
  const rows = askedRows(visit, own, verb)
  // A list with other rows, or of some requests only, stays as it is.
  const isWhole = others.length === 0 && (named.length === 0 || own.length === 1)
  const rest = othersRows(visit, others, visit.actor, home.membersOf).slice(0, mostRows - rows.length)
  const isApart = rest.length > 0 && (named.length === 0 || own.length > 0)
  const items = [
    ...(isWhole ? inList(rows) : rows),
    ...(isApart ? [{ text: say('request.others', { count: others.length }), strong: true } as const] : []),
    ...rest,
  ]
  return { title, items, ...moreOf(listed.length, verb) }
}

/** Says how many requests are not listed, and how to reach them. */
function moreOf(count: number, verb: string): Pick<QueryAnswer, 'foot'> {
  const more = count - mostRows
  return more > 0 ? { foot: say('request.more', { count: more, example: `${verb} ${exampleName}` }) } : {}
}
