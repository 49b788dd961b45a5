import { writeWord } from '../../core/commands/quoting.ts'
import type { Ask } from '../../core/model/question.ts'
import { admitsTerminal, endsLockdown } from '../../core/model/records.ts'
import { isSame } from '../../core/model/roles.ts'
import { idOf, reasonIn, say, type Words } from '../../core/model/words.ts'
import { answerersOf, confirmerOf, type MembersOf } from '../../core/policy/who-answers.ts'
import { awaitedOf, confirmersOf, membersText, standInsOf, votersOf, votesOf } from '../../core/requests/awaited.ts'
import {
  askerOf,
  becauseOf,
  inWords,
  noOf,
  type ParsedRequest,
  questionOf,
  reasonOf,
  yesOf,
} from '../../core/requests/in-words.ts'
import { buttonsPart, type Draft, type DraftButton, draft, perhapsPart, smallPart, textPart } from './draft.ts'
import { breakGlassNotice, previewOf } from './facts.ts'

/** The question in the thread. Its buttons refer to the ask, and disappear after the last answer. */
export function askOf(request: ParsedRequest, membersOf: MembersOf): Draft {
  const { ask } = request
  if (request.status !== 'awaiting' || ask === undefined) return answered(request)
  const count = request.requirement === 'approval' ? say('ask.count', { count: ask.asking.needed }) : ''
  return asking(request, ask, reasonOf(request), awaitedOf(request, membersOf), count)
}

/** The same for a requester who may confirm. The card says why. Nobody can edit this message, so it says until when. */
export function ownAskOf(request: ParsedRequest, ask: Ask): Draft {
  const own = say('ask.own', { role: confirmerOf(request) })
  return asking(request, ask, '', [own, say('ask.expires', { at: { at: ask.expiresAt } })])
}

/** `count`: what notifications say instead of `who`, which names people. */
function asking(request: ParsedRequest, ask: Ask, why: Words, who: Words, count: Words = ''): Draft {
  const question = questionOf(request)
  const isApproval = request.requirement === 'approval'
  // If the policy file protects the endpoint, the rule says so already.
  const protector = ask.guard === undefined || idOf(ask.guard.says) === 'guard.entry' ? '' : ask.guard.says
  return draft(
    [question, reasonOf(request), count],
    [
      textPart({ bold: question }, ' ', [why, who]),
      // Without this, the question would seem to be the person's own.
      ...(request.through === undefined ? [] : [textPart(askerOf(request)), ...perhapsPart(becauseOf(request))]),
      ...(ask.again === undefined ? [] : [textPart(ask.again)]),
      ...(request.means ?? []).flatMap(perhapsPart),
      ...(admitsTerminal(request.change) ? [textPart(say('token.yours'))] : []),
      // A person who used a form has just seen the preview; an approver has not.
      ...(request.via === 'form' && !isApproval ? [] : previewOf(request.preview)),
      ...perhapsPart(votesOf(request)),
      ...(isApproval ? [smallPart([ask.rule, protector])] : []),
      buttonsPart(...pressesOf(request, ask, question, [reasonOf(request), count])),
    ],
  )
}

function pressesOf(request: ParsedRequest, ask: Ask, question: Words, why: Words): readonly DraftButton[] {
  const { command, id } = request
  const value = `${id}.${ask.n}`
  const isApproval = request.requirement === 'approval'
  const [yes, no] = [yesOf(request), noOf(request)]
  // Changes to our own records do not affect an endpoint, and their impact depends on more than the command. But an
  // admin who ends a lockdown takes responsibility.
  const records = endsLockdown(request.change) ? 'disruptive' : 'reversible'
  const impact = request.change === undefined ? command.row.impact(command.values) : records
  const isHarmless = impact === 'reversible' || ask.adds === true
  const sure = { title: question, text: why, yes, no: say('form.back') }
  return [
    {
      label: yes,
      does: 'yes',
      value,
      // Red marks actions that cannot be undone, and stops that one person can confirm.
      style: isHarmless || (isApproval && impact !== 'destructive') ? 'primary' : 'danger',
      ...(impact === 'destructive' && { sure }),
    },
    // The form asks for an optional reason.
    isApproval ? { label: no, does: 'form', value: `decline ${writeWord(id)}` } : { label: no, does: 'no', value },
  ]
}

/** The question after the answer. Only the thread names who answered, because notifications cannot show names. */
function answered(request: ParsedRequest): Draft {
  const question = questionOf(request)
  const { mark, named, plain } = answerTo(request)
  return draft([question, plain], [textPart({ bold: question }, mark, named), ...breakGlassNotice(request)])
}

/** A reminder after the answer: it says the same as the question above it. */
export function overOf(request: ParsedRequest): Draft {
  const { mark, named, plain } = answerTo(request)
  const glass = breakGlassNotice(request)
  return draft(plain, glass.length > 0 ? glass : [textPart(...(mark === ' ' ? [] : [mark.trim(), ' ']), named)])
}

/** The answer with its mark, and without names for notifications. */
function answerTo(request: ParsedRequest): { readonly mark: string; readonly named: Words; readonly plain: Words } {
  const { actor, decision, ending, status, through, votes = [] } = request
  if (decision === undefined) {
    // The card and the reply say after how long.
    if (status === 'expired') return { mark: ' ', named: say('ask.expired'), plain: say('ask.expired') }
    const why = ending?.says ?? say('ask.replaced')
    // A program cancels in the name of its person.
    const isPrograms = through !== undefined && ending?.by !== undefined && isSame(ending.by, actor)
    if (status !== 'cancelled' || ending?.by === undefined || isPrograms)
      return { mark: ' ', named: [why, votesOf(request)], plain: why }
    const cancelled = { how: 'cancelled', ...reasonIn(undefined) }
    const named = say('ask.answered', { ...cancelled, by: { person: ending.by } })
    const plain = [say('ask.answered', { ...cancelled, by: 'none' }), why]
    return { mark: ' 🚫 ', named: [named, why, votesOf(request)], plain }
  }
  const isOwn = isSame(decision.by, actor) && through === undefined
  const yes = votes.length > 0 ? 'approved' : 'confirmed'
  const how = decision.yes ? yes : isOwn ? 'cancelled' : 'declined'
  const given = { how, ...reasonIn(decision.because) }
  const plain = say('ask.answered', { ...given, by: 'none' })
  if (decision.glass === true) return { mark: '', named: '', plain }
  const by = votersOf(decision.yes && votes.length > 0 ? votes : [decision])
  const told = say('ask.answered', { ...given, by })
  const mark = decision.yes ? ' ✅ ' : isOwn ? ' 🚫 ' : ' ❌ '
  return { mark, named: decision.yes ? told : [told, votesOf(request)], plain }
}

/** "Reminder: Stop my-llm needs 1 more approval from @sre.", to the people who have not answered. */
export function reminderOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Draft {
  const deed = inWords(request, 'ask')
  if (request.requirement !== 'approval') {
    const says = say('reminder.confirm', { deed })
    return draft(says, [textPart([says, confirmersOf(request)])])
  }
  const { votes = [] } = request
  const names = answerersOf(request, membersOf).now
  const count = Math.max(1, ask.asking.needed - votes.length)
  const more = votes.length > 0 ? 'yes' : 'no'
  const who = names.length === 0 ? 'none' : membersText(names)
  const says = say('reminder.approval', { deed, count, more, who: 'none' })
  return draft(says, [
    textPart(
      say('reminder.approval', { deed, count, more, who }),
      ...standInsOf(request, ask).flatMap((one) => [' ', one]),
    ),
  ])
}

/** Notifies the fallback approvers once they are admitted; null before that. */
export function fallbackOf(request: ParsedRequest, ask: Ask, membersOf: MembersOf): Draft | null {
  const { fallback } = ask.asking
  if (fallback === null || ask.fellBackAt === undefined) return null
  const { fellBackAt } = ask
  const had = (request.votes ?? []).filter(({ at }) => at <= fellBackAt)
  const waited = { lasting: fallback.after }
  const { fellBackAt: _, ...before } = ask
  const { now, later } = answerersOf({ ...request, votes: had, ask: before }, membersOf)
  const others = later.length === 0 ? 'none' : membersText(later)
  const missing = { had: had.length === 0 ? 'none' : 'some', count: ask.asking.needed - had.length }
  const asked = now.length === 0 ? 'none' : membersText(now)
  const says = say('fallback.says', {
    deed: inWords(request, 'ask'),
    waited,
    others: later.length === 0 ? 'none' : 'some',
  })
  return draft(says, [textPart(say('fallback.now', { ...missing, asked, waited, others }))])
}
