import { writeWord } from '../../core/commands/parse.ts'
import type { Offer } from '../../core/model/answer.ts'
import { idNote } from '../../core/model/endpoint.ts'
import type { Progress } from '../../core/model/plan.ts'
import type { Ask } from '../../core/model/question.ts'
import { type Ending, isAutomatic, isEnded, type Request, type Status, watchOf } from '../../core/model/request.ts'
import { type Actor, isSame } from '../../core/model/roles.ts'
import { type Mention, say, type Words } from '../../core/model/words.ts'
import { instant, lasting } from '../../core/time/format.ts'
import { asText } from '../../core/words/render.ts'
import { detailsOf } from '../execution/work.ts'
import { type Draft, draft, offersPart, type Piece, smallPart, textPart } from './draft.ts'
import {
  becauseOf,
  beforeOf,
  inWords,
  linePieces,
  type ParsedRequest,
  questionOf,
  reasonOf,
  votersOf,
  votesOf,
} from './facts.ts'
import { choicesOf, noticed } from './notice.ts'
import { breakGlassNotice, quotedReason } from './question.ts'

/** The one message of a request, as it stands now. */
export function cardOf(request: ParsedRequest, now: number): Draft {
  if (isEnded(request.status)) return endOf(request)
  const notice = noticeIn(request)
  const [head, detail] = notice === null ? headOf(request, now) : noticed(request, notice)
  return draft(
    [head, detail],
    [
      textPart({ bold: head }, ' ', detail),
      ...breakGlassNotice(request),
      ...votesOf(request),
      ...becauseOf(request),
      ...beforeOf(request),
      ...(notice === null ? [] : [choicesOf(request, notice)]),
      smallPart(...whoAsked(request), ...(request.asked === undefined ? linePieces(request) : []), ...agreed(request)),
      // A notice has its buttons here.
      ...(request.status === 'awaiting' && notice === null ? [smallPart('→ Answer in the thread.')] : []),
    ],
  )
}

function headOf(request: ParsedRequest, now: number): readonly [Words, Words] {
  return request.status === 'awaiting'
    ? [questionOf(request), reasonOf(request)]
    : [
        say('card.doing', { deed: inWords(request, 'doing') }),
        [underWay(request, now), idNote(request.endpoint)].filter(Boolean).join('. '),
      ]
}

/** Votes, and whoever broke the glass, are shown by themselves. */
function agreed({ decision, votes = [] }: Request): readonly (string | Mention)[] {
  if (decision === undefined || !decision.yes || decision.glass === true || votes.length > 0) return []
  return ['agreed by', { person: decision.by }]
}

/** "DEPLOYING, 1 of 3 replicas running · 1 min", as far as anything was seen. */
function underWay({ progress, startedAt, nextAt }: Request, now: number): string {
  const step = progress?.find(({ done }) => done !== true)
  const seen = step?.looks.at(-1)
  const waited = startedAt !== undefined && now - startedAt >= 10_000 ? lasting(now - startedAt) : ''
  const parts = [waitingOf(step, nextAt, now) ?? asText(seen === undefined ? '' : detailsOf(seen)), waited]
  return parts.filter((part) => part !== '').join(' · ')
}

/** What the step waits for, where that is not the endpoint itself. */
function waitingOf(step: Progress | undefined, nextAt: number | null, now: number): string | null {
  const { sends = [], waitsUntil } = step ?? {}
  if (sends.length === 0 && waitsUntil !== undefined)
    return `An earlier call without a clear answer could still undo this, so it waits until ${instant(waitsUntil)}`
  const { outcome } = sends.at(-1) ?? {}
  if (outcome === undefined || outcome.kind === 'answered') return null
  if (outcome.kind === 'unreached')
    return `Not taken by the platform: “${asText(outcome.says ?? '')}” It is sent again in ${lasting((nextAt ?? now) - now)}`
  const asked = sends.length > 1 ? `, asked ${sends.length} times` : ''
  return `The platform gave no clear answer${asked}; looking what became of it`
}

/** Ends that leave things as they were: their sentences do not say of what they speak. */
const undone: ReadonlySet<Status> = new Set(['expired', 'declined', 'cancelled', 'refused'])

/** The end: our sentence, the platform's own, how long it took, who asked and why. */
export function endOf(request: ParsedRequest): Draft {
  const { ending, actor } = request
  if (ending === undefined) throw new Error('A request that is not over has no end to show.')
  const which = idNote(request.endpoint)
  const quote = ending.quote === undefined ? '' : `“${ending.quote}”`
  const took = lengthOf(request, ending.at)
  const asker: readonly Piece[] = isAutomatic(request) ? byWhat(request) : [{ person: actor }]
  const tail: Piece[] = [
    ...(took === '' ? [] : [` · ${took}`]),
    ' · ',
    ...asker,
    ...evidenceOf(request),
    ...decidedBy(request),
    ...gaveUp(ending, actor),
  ]
  const told = toldOf(request, asText(ending.says))
  const says = [told, which, quote].filter((part) => part !== '').join(' ')
  return draft([says, took].filter((part) => part !== '').join(' · '), [
    textPart(
      { bold: told },
      ...(ending.told === undefined ? [] : [' ', ...ending.told]),
      ...[which, quote].map((part) => (part === '' ? '' : ` ${part}`)),
      ...tail,
    ),
    ...breakGlassNotice(request),
    ...becauseOf(request),
    ...beforeOf(request),
    ...offersPart([...(ending.offers ?? []), ...again(request)]),
  ])
}

/** "0 requests for 62 min", which people were told before a stop that nobody but the idle watch has decided. */
function evidenceOf({ via, status, decision, reason = '' }: Request): readonly string[] {
  const [short = ''] = asText(reason).split(' on ')
  return via === 'idle' && status === 'succeeded' && decision === undefined && short !== '' ? [`: ${short}`] : []
}

/** Who needs what was stopped for idleness has it back with one press, with as many replicas as it had. */
function again({ via, status, endpoint, progress }: Request): readonly Offer[] {
  if (via !== 'idle' || status !== 'succeeded' || endpoint === undefined) return []
  const replicas = progress?.[0]?.sends[0]?.before.replicas ?? 1
  const line = `start ${writeWord(endpoint.id)}`
  return [{ label: 'Start again', line: replicas > 1 ? `${line} replicas=${replicas}` : line }]
}

/** "Stop my-llm: it was left as it is." Nobody asked for what a rule handed in, so of that: "my-llm was left as it is." */
function toldOf(request: ParsedRequest, says: string): string {
  if (!undone.has(request.status)) return says
  const name = request.endpoint?.name ?? ''
  const rest = name !== '' && says.startsWith(`${name} `) ? says.slice(name.length + 1) : null
  if (rest !== null && request.change === undefined && isAutomatic(request)) return says
  return `${asText(inWords(request, 'ask'))}: ${rest !== null ? `it ${rest}` : withoutName(says, name)}`
}

/** How sentences of our own begin, and not those of the platform, which stay as they are. */
const ours =
  /^(Another|Automation|Cancelled|Everything|Given up|It|Its|Nobody|Nothing|Only|Somebody|Something|The|You need)\b/

/** "my-llm: It is stopped already." as the rest of a sentence that has the name: "it is stopped already." */
function withoutName(says: string, name: string): string {
  const rest = name !== '' && says.startsWith(`${name}: `) ? says.slice(name.length + 2) : says
  const isWord = ours.test(rest) && !(name !== '' && rest.startsWith(name))
  return isWord ? `${rest.charAt(0).toLowerCase()}${rest.slice(1)}` : rest
}

/** How long the work took, where that is worth a word. */
function lengthOf({ status, startedAt }: Request, endedAt: number): string {
  const took = startedAt === undefined ? 0 : endedAt - startedAt
  return status === 'succeeded' && took >= 1_000 ? lasting(took) : ''
}

/** Who else has decided it; whoever broke the glass is named by itself. */
function decidedBy(request: Request): readonly Piece[] {
  const { decision, actor, requirement, votes = [] } = request
  if (decision === undefined || decision.glass === true) return []
  // A notice was asked for by nobody, so whoever skips it is named, be it the owner of its rule.
  if (!decision.yes && requirement === 'notice')
    return [' · skipped by ', { person: decision.by }, quotedReason(decision)]
  if (!decision.yes)
    return isSame(decision.by, actor)
      ? []
      : [' · declined by ', { person: decision.by }, decision.because === undefined ? '' : ':', quotedReason(decision)]
  if (votes.length > 0) return [' · agreed by ', ...votersOf(votes)]
  // What a rule has handed in is its owner's only in name: whoever said yes to it is named.
  return isSame(decision.by, actor) && !isAutomatic(request) ? [] : [' · agreed by ', { person: decision.by }]
}

function gaveUp({ by, keptBy, takenBy }: Ending, actor: Actor): readonly Piece[] {
  if (takenBy !== undefined) return [' · taken over by ', { person: takenBy }]
  if (keptBy !== undefined) return [' · kept by ', { person: keptBy }]
  return by === undefined || isSame(by, actor) ? [] : [' · cancelled by ', { person: by }]
}

/** A waiting request that happens at a stated time unless somebody objects; null for any other. */
export function noticeIn({ status, requirement, ask }: Request): (Ask & { readonly due: number }) | null {
  if (status !== 'awaiting' || requirement !== 'notice' || ask?.due === undefined) return null
  return { ...ask, due: ask.due }
}

/** Who acts: "by its schedule, made by @ana" of what nobody has asked for just now, else who has. */
function whoAsked(request: Request): readonly (string | Mention)[] {
  const { actor, asked } = request
  if (!isAutomatic(request)) return [{ person: actor }]
  return asked === undefined
    ? [`${watchOf(request)}, made by`, { person: actor }, '·']
    : [{ person: actor }, `asked for it: ${asked}`]
}

/** "by its schedule", of what nobody has asked for just now; "@eva asked for it: stop rerank at 23:00" of a one-off. */
function byWhat(request: Request): readonly (string | Mention)[] {
  const { actor, asked } = request
  return asked === undefined ? [watchOf(request)] : [{ person: actor }, ` asked for it: ${asked}`]
}
