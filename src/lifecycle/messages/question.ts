import { writeWord } from '../../core/commands/parse.ts'
import type { Ask } from '../../core/model/question.ts'
import { endsLockdown } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import { answerersOf, confirmerOf, type MembersOf } from '../../core/policy/who-answers.ts'
import { lasting } from '../../core/time/format.ts'
import {
  buttonsPart,
  type Draft,
  type DraftButton,
  draft,
  type Part,
  type Piece,
  smallPart,
  textPart,
} from './draft.ts'
import {
  approvals,
  confirmersOf,
  countOf,
  guardIn,
  inWords,
  linePieces,
  memberList,
  type ParsedRequest,
  pressOf,
  previewOf,
  questionOf,
  reasonOf,
  untilIn,
  votersOf,
  votesOf,
  whoMay,
} from './facts.ts'

/**
 * The question in the thread. Its buttons name the ask they answer, stay while more answers are missing, and are gone
 * once it is decided. Whoever may approve is called by name.
 */
export function askOf(request: ParsedRequest, membersOf: MembersOf): Draft {
  const { ask } = request
  if (request.status !== 'awaiting' || ask === undefined) return answered(request, inWords(request, 'leave'))
  if (request.requirement !== 'approval')
    return asking(request, ask, [reasonOf(request), confirmersOf(request)], untilIn(ask))
  const why = [reasonOf(request), countOf(ask)]
  return asking(request, ask, why, ' ', ...whoMay(request, ask, membersOf), untilIn(ask))
}

/** The same question to its requester alone, who may confirm it where they have asked. */
export function ownAskOf(request: ParsedRequest, ask: Ask): Draft {
  return asking(request, ask, reasonOf(request))
}

function asking(request: ParsedRequest, ask: Ask, why: Words, ...who: readonly Piece[]): Draft {
  const question = questionOf(request)
  const isApproval = request.requirement === 'approval'
  return draft(
    [question, why],
    [
      textPart({ bold: question }, ' ', why, ...who),
      ...(ask.again === undefined ? [] : [textPart(ask.again)]),
      ...(request.means ?? []).map((one) => textPart(one)),
      // Whoever filled in a form has just seen it; whoever is to approve has not.
      ...(request.via === 'form' && !isApproval ? [] : previewOf(request.preview)),
      ...votesOf(request),
      ...(isApproval ? [smallPart(say('ask.rule', { rule: ask.rule }), ...guardIn(ask))] : []),
      buttonsPart(...pressesOf(request, ask, question, why)),
    ],
  )
}

function pressesOf(request: ParsedRequest, ask: Ask, question: Words, why: Words): readonly DraftButton[] {
  const { command, id } = request
  const leave = inWords(request, 'leave')
  const value = `${id}.${ask.n}`
  const yes = pressOf(request)
  // What is about our own records hurts no endpoint, and its impact takes more than its words to tell; but whoever ends a
  // lockdown signs for it.
  const records = endsLockdown(request.change) ? 'disruptive' : 'reversible'
  const impact = request.change === undefined ? command.row.impact(command.values) : records
  const sure = { title: question, text: why, yes, no: leave }
  return [
    {
      label: yes,
      does: 'yes',
      value,
      style: impact === 'reversible' ? 'primary' : 'danger',
      ...(impact === 'destructive' && { sure }),
    },
    { label: leave, does: 'no', value },
    ...(request.requirement === 'approval'
      ? [{ label: 'Decline with a reason…', does: 'form', value: `decline ${writeWord(id)}` } as const]
      : []),
  ]
}

function answered(request: ParsedRequest, leave: Words): Draft {
  const question = questionOf(request)
  const { decision, ending, votes = [] } = request
  if (decision === undefined) {
    const why = ending?.says ?? 'This question has been replaced.'
    return draft([question, why], [textPart({ bold: question }, ' ', why)])
  }
  const answer = decision.yes ? pressOf(request) : leave
  const said = [question, say('ask.answer', { answer }), quotedReason(decision)]
  if (decision.glass === true) return draft(said, [textPart({ bold: question }), ...breakGlassNotice(request)])
  const who = votersOf(decision.yes && votes.length > 0 ? votes : [decision])
  return draft(said, [textPart({ bold: question }, ' ', ...who, ': ', answer, quotedReason(decision))])
}

/** Said on everything that shows a request whose approval an admin has passed. */
export function breakGlassNotice({ decision }: Request): readonly Part[] {
  if (decision?.glass !== true) return []
  return [
    textPart(
      { bold: 'Without the approval it takes: ' },
      { person: decision.by },
      ' broke the glass.',
      quotedReason(decision),
    ),
  ]
}

/** The message to the operations channel; null while all glass is whole. */
export function alarmOf(request: ParsedRequest): Draft | null {
  const { decision, actor } = request
  if (decision?.glass !== true) return null
  const deed = inWords(request, 'ask')
  return draft(
    [say('glass.broken', { deed }), quotedReason(decision)],
    [
      textPart(
        { person: decision.by },
        ' broke the glass: ',
        { bold: say('glass.deed', { deed }) },
        quotedReason(decision),
      ),
      smallPart('Asked for by', { person: actor }, ...linePieces(request)),
    ],
  )
}

/** ' “reason”', or nothing. */
export function quotedReason({ because }: { readonly because?: string }): string {
  return because === undefined ? '' : ` “${because}”`
}

/** "Still waiting for 1 more approval: @sre", to those who have not answered. */
export function reminderOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Draft {
  const what = inWords(request, 'ask')
  if (request.requirement !== 'approval') {
    const says = say('reminder.answer', { deed: what })
    const who = confirmerOf(request) === 'admin' ? 'admin' : 'operator'
    return draft(says, [textPart(says, ' ', { person: request.actor }, ` or another ${who} decides.`)])
  }
  const { votes = [] } = request
  const missing = Math.max(1, ask.asking.needed - votes.length)
  const waits = `waiting for ${approvals(missing, votes.length > 0 ? 'more ' : '')}`
  const names = memberList(answerersOf(request, membersOf).now)
  return draft(say('reminder.approval', { deed: what, waits }), [
    textPart(`Still ${waits}`, names.length === 0 ? '.' : ': ', ...names),
  ])
}

/** Tells those who may answer from now on, and nobody before; null while nobody was let in. */
export function fallbackOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Draft | null {
  const { fallback } = ask.asking
  if (fallback === null || ask.fellBackAt === undefined) return null
  const { fellBackAt } = ask
  const had = (request.votes ?? []).filter(({ at }) => at <= fellBackAt)
  const waited = lasting(fallback.after)
  const { fellBackAt: _, ...before } = ask
  const { now, later } = answerersOf({ ...request, votes: had, ask: before }, membersOf)
  const [asked, others] = [memberList(now), memberList(later)]
  const nobody = asked.length === 0 ? ['Nobody'] : ['Nobody of ', ...asked]
  const first =
    had.length === 0
      ? [...nobody, ` has answered for ${waited}; `]
      : [`It still takes ${approvals(ask.asking.needed - had.length)} after ${waited}; `]
  const [says, who] =
    others.length === 0
      ? ['and nobody else could answer', ['nobody whom lamplighter.yaml names as fallback could answer.']]
      : ['so others may answer as well', [...others, ' may answer as well.']]
  return draft(say('fallback.says', { deed: inWords(request, 'ask'), waited, says }), [textPart(...first, ...who)])
}
