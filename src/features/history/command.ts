import { type Context, defineQuery } from '../../core/commands/define.ts'
import { rowOf } from '../../core/commands/field-of-word.ts'
import { aPerson } from '../../core/commands/fields.ts'
import { writeLine } from '../../core/commands/parse.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Mark, Offer, QueryAnswer } from '../../core/model/query-answer.ts'
import { answersTo } from '../../core/model/question.ts'
import { awayKey, keyOf } from '../../core/model/records.ts'
import { type Event, isAutomatic, type Past, type Status, toldStatus } from '../../core/model/request.ts'
import { type Actor, isSame } from '../../core/model/roles.ts'
import { idOf, reasonIn, type Sentence, say, saysNothing, type Words, withTexts } from '../../core/model/words.ts'
import { votersOf, votesOf } from '../../core/requests/awaited.ts'
import { failureOffers } from '../../core/requests/end.ts'
import { labelOn } from '../../core/requests/in-words.ts'
import { nearest } from '../../core/text/names.ts'
import { hide } from '../../core/text/redact.ts'
import { exported } from './export.ts'
import { type HistoryValues, historyFields, pageSize } from './fields.ts'
import { endedText, endStates, isPressed, isRestart, wayOf } from './last-change.ts'
import { isChange, isWhy, meantValues } from './search.ts'
import { askedBy, askedFor, calledIn, outcomeOf, reasonsOf, requesterReason, saidNow } from './words.ts'

export const history = defineQuery({
  name: 'history',
  fenced: true,
  also: ['기록'],
  hints:
    'why,who,stopped,started,what did,when did,안 켜져,왜 켜져 있,왜 켜져있,왜 꺼져 있,왜 꺼져있,changed,happened,happen,last change,failed,was refused,바뀌,바뀐,무슨 일,실패,누가 승인했,audit,my request,my requests,왜,누가,내 요청,꺼졌,켜졌,껐,켰,뭐 했,뭘 했,바꿨,요청 어떻,요청 상태',
  examples: [
    'history',
    'history my-llm',
    'history my-llm since=7d',
    'history who=me',
    'history refused',
    'history stopped yesterday',
    'history export since=30d',
  ],
  fields: historyFields,
  own: 'history',
  ruled: true,
  needs: ({ what }) => (what === 'export' ? 'approver' : 'viewer'),
  show: (pasts, asked) => {
    const { what, on } = asked.values
    if (what === 'export') return exported(pasts)
    // A later start or stop that failed comes before the last one.
    const isState = isChange(what)
    const at = isState && pasts.length > 0 && pasts[0]?.request.status !== 'succeeded' ? 1 : 0
    const first = pasts[at]
    const context = { ...asked, values: meantValues(first, asked) }
    if (first !== undefined && on === first.request.id) return storyOf(first, context)
    const last = lastOf(first, context.values, context)
    const { active, open, state, decided, offers } = saidNow(context, last !== undefined)
    // The title says what the last one's row would say, so only its buttons are shown. The list of all is page 1.
    const [page, count] = last === undefined ? [asked.values.page ?? 1, pageSize] : [0, at]
    const shown = pasts.slice(0, count)
    const past = last ?? (open === '' || first ? titleFor(shown.length, context, at, active) : '')
    const said = isState ? [past, decided] : [decided, past]
    const title = [open, state, ...said].filter((one) => !saysNothing(one))
    // A failure that is the newest, or the newest of all starts and stops: what its card offers still helps.
    const isLast = (one: Past) => isState || (one === first && isWhy(asked.values))
    const offerOn = (one: Past) =>
      isLast(one) && one.request.status !== 'succeeded' ? failureOffers(one.request)[0] : undoOf(one, context)
    const itemFor = (one: Past) => itemOf(one, offerOn(one) ?? null, context)
    const told = last === undefined ? [] : pasts.slice(at, at + 1)
    return {
      title: title.length === 1 ? (title[0] ?? '') : title,
      items: shown.map(itemFor),
      offers: [
        ...told.flatMap((one) => itemFor(one).offers ?? []),
        ...offers,
        // What was declined or failed may explain it.
        ...(pasts.length === 0 && isState && on && offers.length > 0
          ? [{ label: say('action.history'), line: `history ${writeWord(on)}` }]
          : []),
        ...(page > 1 ? [pageAt(page - 1, 'newer', context.values)] : []),
        ...(pasts.length > shown.length + told.length ? [pageAt(page + 1, 'older', context.values)] : []),
      ],
    }
  },
})

/** Says why an endpoint was last stopped or started, if that is the question. */
function lastOf(past: Past | undefined, { what, ...asked }: HistoryValues, { now, rows }: Reader): Words | undefined {
  const { endpoint, ending, actor, reason, line } = past?.request ?? {}
  if (!isWhy(asked) || !isChange(what) || !past || !endpoint || !ending || !actor || !line) return undefined
  const { asked: before } = past.request
  const { decision, votes = [] } = answersTo(past.request)
  // The reason is the requester's, not that of the person who did not wait.
  const because = isPressed(past.request) ? undefined : requesterReason(past.request, rows)
  const isByRule = isAutomatic(past.request) && before === undefined
  const told = {
    ...(isByRule || (because === undefined && before !== undefined)
      ? { because: 'none', reason: '' }
      : reasonIn(because === undefined ? undefined : hide(because))),
    ...wayOf(past.request),
  }
  const at = { at: { at: ending.at }, ago: { lasting: now - ending.at } }
  const says = say('history.last', {
    what: isRestart(past.request) ? 'restarted' : what,
    name: endpoint.name,
    ...at,
    ...told,
  })
  const bypassed = decision?.glass === true && { by: { person: decision.by }, reason: hide(decision.because ?? '') }
  const approved = decision?.yes === true && votes.length > 0 && say('ask.votes', { left: 0, by: votersOf(votes) })
  const how = bypassed ? say('glass.passed', bypassed) : approved || ''
  return [says, isByRule ? (reason ?? '') : '', how, endedText(past, what, now)]
}

/** Says that no endpoint has a name, and offers those that are like it. */
function unknownText(name: string, listed: readonly Endpoint[]): Words {
  const near = nearest(name, listed).map((one) => one.name)
  if (near.length === 0) return say('endpoint.unknown', { name })
  return [say('endpoint.near', { name }), say('line.near', { of: 'name', near: { any: near } })]
}

/** Titles the answer. `failed`: how many of its requests failed; if all did, they say why and need no title. */
function titleFor(length: number, context: Context<HistoryValues>, failed: number, active: boolean | null): Words {
  const { values, rows, asker, isInside = () => true } = context
  // A program must not guess the names of other endpoints by their beginnings.
  const listed = (context.listed ?? []).filter(isInside)
  const { what, on } = values
  const begins = on?.toLowerCase() ?? ''
  const isKnown =
    listed.length === 0 || listed.some(({ id, name }) => id === on || name.toLowerCase().startsWith(begins))
  if (length === 0 && !isKnown && rowOf(begins, rows) === undefined) return unknownText(on ?? '', listed)
  const title = titleOf(length, values, asker)
  if (typeof active !== 'boolean' || !isChange(what) || length > failed) return title
  if (length > 0) return ''
  return active === (what === 'started') ? say('history.elsewhere', { what }) : title
}

function titleOf(count: number, { what, day, on, who, since, page }: HistoryValues, asker?: Actor): Sentence {
  // A name that was typed, or somebody picked in Slack.
  const named = who !== undefined && aPerson.test(who) ? asker && { ...asker, user: who.slice(1) } : who
  const person = who === 'me' ? asker : named
  const by = typeof person === 'object' ? { person } : (person ?? '')
  const about = { about: on !== undefined ? 'one' : by === '' ? 'all' : 'by', on: on ?? '', by }
  const from = since === 'yesterday' ? 'from' : since === 'today' ? 'today' : 'some'
  const values = {
    ...about,
    what: what ?? 'all',
    back: day ?? (since === undefined ? 'all' : from),
    since: since ?? '',
  }
  const isRefused = what === 'refused'
  if (count > 0) return say(isRefused ? 'history.refused' : 'history.title', values)
  const none = { ...values, page: page === undefined ? 'first' : 'older' }
  return say(isRefused ? 'history.refusedNone' : 'history.none', none)
}

type Item = QueryAnswer['items'][number]
type Reader = Pick<Context<HistoryValues>, 'now' | 'rows'>

const marks: Readonly<Partial<Record<Status, Mark>>> = {
  succeeded: 'done',
  failed: 'no',
  declined: 'no',
  attention: 'attention',
}

/** Describes an ended request: its outcome, who asked, when, why, and who decided. Says nothing twice. */
export function itemOf(past: Past, undo: Offer | null, { now, rows }: Reader): Item {
  const { request, about } = past
  const { id, ending } = request
  const { title, rest } = outcomeOf(past, rows, now)
  const decided =
    about === undefined
      ? deciders(request)
      : { says: say('history.by', { how: 'requested' }), votes: [{ by: about.by }] }
  const end = endWord(request)
  // “Declined by @ben” already says the status, “confirmed by @ben” doesn’t.
  const isSaid = decided !== undefined && (answersTo(request).decision?.yes !== true || ending?.by !== undefined)
  const detail = say('history.endedAt', {
    at: { at: ending?.at ?? now },
    ago: { lasting: now - (ending?.at ?? now) },
    status: isSaid && end !== 'attention' && end !== 'needless' ? 'none' : end,
  })
  const more = [
    end === 'needless' ? '' : rest,
    votesOf(request),
    about === undefined ? reasonsOf(request, rows) : '',
  ].filter((words) => !saysNothing(words))
  return {
    mark: ['cancelled', 'skipped', 'needless'].includes(end) ? 'nothing' : (marks[request.status] ?? 'nothing'),
    strong: true,
    text: title,
    ...askedBy(request),
    detail: more.length === 0 ? detail : [detail, ...more.flatMap((words) => ['·', withTexts(words, hide)])],
    ...(decided !== undefined && { decided }),
    offers: [{ label: say('history.details'), line: `history ${writeWord(id)}` }, ...(undo === null ? [] : [undo])],
  }
}

/** Returns the card's word for an end that nothing else says; otherwise `none`. */
function endWord(request: Past['request']): string {
  const { status, requirement, ending } = request
  if (status === 'succeeded' || status === 'failed') return 'none'
  if (status === 'expired' && idOf(ending?.says ?? '') === 'request.unanswered') return 'none'
  if (status === 'cancelled' && ending?.holds === true) return 'needless'
  return status === 'declined' && requirement === 'notice' ? 'skipped' : toldStatus(request)
}

function deciders(request: Past['request']): Item['decided'] {
  const { actor, agreed, ending, requirement } = request
  const { votes = [], decision } = answersTo(request)
  if (ending?.by !== undefined && !isSame(ending.by, actor))
    return { says: say('history.by', { how: 'cancelled' }), votes: [{ by: ending.by }] }
  // The actor of a rule's request is its owner, so the person who answered is named even if it was the owner.
  const isOwn = decision !== undefined && isSame(decision.by, actor) && (agreed !== undefined || !isAutomatic(request))
  // A person who declines their own program's proposal is named.
  if (decision === undefined || (isOwn && toldStatus(request) !== 'declined')) return undefined
  const { by, yes, glass } = decision
  if (glass === true) return { says: say('history.by', { how: 'bypassed' }), votes: [{ by }] }
  const no = requirement === 'notice' ? 'skipped' : 'declined'
  if (!yes) return { says: say('history.by', { how: no }), votes: [{ by }] }
  const how = votes.length > 0 ? 'approved' : 'confirmed'
  return { says: say('history.by', { how }), votes: votes.length > 0 ? votes : [{ by }] }
}

function storyOf(past: Past, { now, rows }: Reader): QueryAnswer {
  const { request, events } = past
  return {
    title: say('history.story', { what: askedFor(past, rows) }),
    items: events
      // The platform's answer also shows that there was a call.
      .filter(({ what }, at, all) => what !== 'sent' || all[at + 1]?.what !== 'answered')
      .slice(-20)
      .map((event) => ({
        inline: true,
        text: eventText(
          isAnnounced(event, request) ? 'announced' : event.what,
          withTexts(calledIn(event, request, rows), hide),
        ),
        detail: say('history.at', { at: { at: event.at } }),
        ...saidBy(event, request),
      })),
    foot: say('history.foot', {
      ago: { lasting: now - (events.find(({ what }) => what === 'asked')?.at ?? request.receivedAt) },
      on: request.endpoint === undefined ? 'project' : 'endpoint',
      name: request.endpoint?.name ?? '',
      id: request.id,
    }),
  }
}

/** Renders "call sent: stop"; an end is a sentence of its own. Stored event names may have spaces; keys may not. */
function eventText(what: string, detail: Words): Words {
  if (detail !== '' && endStates.has(what)) return detail
  const named = say('history.what', { event: what.replaceAll(' ', '_'), what })
  return detail === '' ? named : say('history.event', { what: named, detail })
}

/** Names who caused an event: first the person who asked or the rule, later the person who acted. */
function saidBy({ what, by }: Event, request: Past['request']): Pick<Item, 'who' | 'through'> {
  if (by === undefined) return {}
  if (isAnnounced({ what }, request)) return {}
  const begins = ['asked', 'awaiting', 'running'].includes(what)
  return begins && isSame(by, request.actor) ? askedBy(request) : { who: by }
}

/** Whether a one-time schedule's request was announced, which its person had requested before. */
function isAnnounced({ what }: Pick<Event, 'what'>, { asked }: Past['request']): boolean {
  return what === 'awaiting' && asked !== undefined
}

/** Offers undo if a press would still undo the request; for an absence only to the person who is away. */
function undoOf({ request, undoable, endedSince }: Past, { rows, asker }: Context<HistoryValues>): Offer | null {
  const isOver = endedSince !== undefined && !(typeof endedSince === 'object' && 'changedAt' in endedSince)
  if (undoable !== true || isOver || rowOf('undo', rows) === undefined) return null
  const isOwn = () => {
    const { put = [], drop = [] } = request.change ?? {}
    const keys = [...put.map(keyOf), ...drop]
    return keys.includes('freeze') || (asker !== undefined && keys.includes(awayKey(asker)))
  }
  if (request.endpoint === undefined && !isOwn()) return null
  const isOurs = request.status === 'succeeded' && request.change !== undefined
  return undoOffer(request, isOurs ? 'undo.offer' : 'undo.back')
}

/** Offers to undo this request, even if a rule has acted since. */
export function undoOffer(request: Past['request'], says: 'undo.offer' | 'undo.back' = 'undo.offer'): Offer {
  return { label: labelOn(request, says), line: `undo ${writeWord(request.id)}` }
}

function pageAt(page: number, which: 'newer' | 'older', values: HistoryValues): Offer {
  return { label: say(`history.${which}`), line: writeLine(history, { ...values, page }) }
}
