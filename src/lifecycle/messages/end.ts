import type { Operation } from '../../core/commands/define.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { idNote } from '../../core/model/endpoint.ts'
import type { Offer } from '../../core/model/query-answer.ts'
import { type Ending, isAutomatic, type Request, type Status, toldStatus } from '../../core/model/request.ts'
import { type Actor, isSame } from '../../core/model/roles.ts'
import { idOf, quoted, reasonIn, say, saysNothing, type Words } from '../../core/model/words.ts'
import { unansweredIn } from '../../core/requests/awaited.ts'
import { failureOffers } from '../../core/requests/end.ts'
import { askerOf, dotted, inWords, type ParsedRequest } from '../../core/requests/in-words.ts'
import type { SentenceId } from '../../words/english.ts'
import { type Draft, draft, offersPart, smallPart, textPart } from './draft.ts'
import { aboutOf, agreedBy, breakGlassNotice } from './facts.ts'

/** How a request ended that did nothing, or not everything; who ended it; and what else to say. */
interface Undone {
  readonly how: Extract<SentenceId, `undone.${string}`> extends `undone.${infer How}` ? How : never
  readonly by?: Actor | undefined
  readonly says: Words
}

const marks: Readonly<Partial<Record<Status, string>>> = { succeeded: '✅', failed: '❌', attention: '⚠️' }
const undoneMarks: Readonly<Partial<Record<Undone['how'], string>>> = {
  declined: '❌',
  skipped: '🌙',
  putOff: '🌙',
  onHold: '🌙',
  paused: '🌙',
  unawaited: '⚠️',
}

/** The end: the request, its result and the reason; then the requester, the duration and the platform's message. */
export function endOf(request: ParsedRequest): Draft {
  const { says, head, rest, note, quote, evidence, facts: told } = toldOf(request)
  const { ending } = request
  const after = [...rest, note, quote].filter((words) => !saysNothing(words))
  // The person who keeps the endpoint matters more than the person who wanted it stopped.
  const asker = ending?.keptBy === undefined ? askerOf(request) : ''
  const facts = dotted(evidence, asker, agreedBy(request), ...told)
  const parts = [
    textPart(...head, ...(after.length === 0 ? [] : [' ', after])),
    ...aboutOf(request),
    ...(facts === '' ? [] : [smallPart(facts)]),
    ...offersPart(endOffers(request, request.command.row.wants)),
  ]
  return draft([says, note, quote], parts)
}

/** The same for the thread, where it notifies the requester. The card above has the details. */
export function shortEndOf(request: ParsedRequest): Draft {
  const { says, head, note, quote } = toldOf(request)
  return draft([says, note, quote], [textPart(...head, ' ', { person: request.actor }), ...breakGlassNotice(request)])
}

/** The end as one sentence for people without the card: what was done, or who declined or cancelled it, and why. */
export function plainEndOf(request: ParsedRequest): Words {
  const { ending, plan } = request
  if (ending === undefined) throw new Error('An open request has no final message.')
  const undone = plan === undefined ? null : undoneIn(request, ending)
  if (undone === null) return [ending.says, ending.told ?? '']
  return [undoneText(request, undone, 'all'), undone.says]
}

/** The parts of an end, with its mark and the result first. Throws if the request has not ended. */
function toldOf(request: ParsedRequest) {
  const { ending, receivedAt, status, startedAt, via } = request
  if (ending === undefined) throw new Error('An open request has no outcome to show.')
  const { at } = ending
  const took = at - (startedAt ?? at)
  const undone = undoneIn(request, ending)
  const isWell = status === 'succeeded'
  const isIdleStop = via === 'idle' && isWell
  const mark = undone === null ? marks[status] : (undoneMarks[undone.how] ?? '🚫')
  // The first sentence is bold; what follows from it is not.
  const [first = '', ...further] = Array.isArray(ending.says) ? ending.says : [ending.says]
  const [says, head, rest] =
    undone === null
      ? [ending.says, { bold: first }, [...further, ending.told ?? '']]
      : undone.how === 'onHold' && undone.by !== undefined
        ? [undone.says, { bold: undone.says }, [say('undone.onHold', { by: { person: undone.by } })]]
        : [[undoneText(request, undone, 'none'), undone.says], undoneText(request, undone, 'others'), [undone.says]]
  return {
    says,
    head: [`${isIdleStop ? '💤' : mark} `, head],
    rest,
    note: idNote(request.endpoint),
    // "no requests for 1 h 2 min", if nobody confirmed the stop.
    evidence: isIdleStop && request.decision === undefined ? (request.evidence ?? '') : '',
    // A success needs no explanation, so the platform's message goes below it.
    quote: isWell ? '' : quoted(ending),
    facts: [
      isWell && took >= 1_000 ? say('end.took', { length: { lasting: took } }) : '',
      // Its message may have been posted long before.
      at - receivedAt >= 60_000 ? say('history.at', { at: { at } }) : '',
      isWell ? quoted(ending) : '',
    ],
  }
}

/** Null if something was done or attempted: its own sentence then says how that ended. */
function undoneIn(request: Request, ending: Ending): Undone | null {
  const { decision, requirement, status } = request
  const { again, by, holds, keptBy, takenBy } = ending
  const says = again === true ? say('undone.again') : ending.says
  if (status === 'succeeded' || status === 'failed' || status === 'attention') return null
  if (status === 'refused') return { how: 'refused', says }
  if (status === 'expired')
    return idOf(says) === 'request.unanswered'
      ? { how: 'unanswered', says: say('request.unchanged') }
      : { how: 'expired', says }
  if (idOf(says) === 'skip.frozen') return { how: 'paused', says }
  if (idOf(says) === 'way.work' && takenBy === undefined) return { how: 'unawaited', says }
  if (holds === true) return { how: 'needless', says }
  if (takenBy !== undefined) return { how: 'takenOver', by: takenBy, says }
  if (keptBy !== undefined) return { how: again === true ? 'putOff' : 'onHold', by: keptBy, says }
  if (decision?.yes !== false) return { how: 'cancelled', by, says }
  // Nobody asked for a notice, so the person who skips it is named, even the owner of the rule.
  if (requirement === 'notice') return { how: 'skipped', by: decision.by, says }
  if (toldStatus(request) === 'cancelled') return { how: 'cancelled', by: decision.by, says }
  return { how: 'declined', by: decision.by, says: '' }
}

/** “Stop my-llm declined by @ben: …”. Notifications can't show names, and a card names its requester anyway. */
function undoneText(request: ParsedRequest, { how, by }: Undone, named: 'none' | 'others' | 'all'): Words {
  const { actor, ask, decision, through, votes = [] } = request
  const isOwn = how === 'cancelled' && by !== undefined && isSame(by, actor)
  const isNamed = named !== 'none' && !(isOwn && (named === 'others' || through !== undefined))
  return say(`undone.${how}`, {
    deed: inWords(request, 'noun'),
    by: by === undefined || !isNamed ? 'none' : { person: by },
    ...reasonIn(decision?.because),
    ...unansweredIn(ask, votes.length),
  })
}

/** What an ended request offers: also to start an endpoint that a rule stopped, with its previous replicas. */
export function endOffers(request: Request, wants: Operation['wants']): readonly Offer[] {
  const { status, endpoint, ending, progress } = request
  const own = ending?.again === true ? [] : failureOffers(request)
  if (!isAutomatic(request) || wants !== 'down' || status !== 'succeeded' || endpoint === undefined) return own
  const replicas = progress?.[0]?.sends[0]?.before.replicas ?? 1
  const line = `start ${writeWord(endpoint.id)}`
  return [
    ...own,
    { label: say('end.again', { name: endpoint.name }), line: replicas > 1 ? `${line} replicas=${replicas}` : line },
  ]
}
