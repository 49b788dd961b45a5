import { wordsIn } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/tokens.ts'
import { endsLockdown } from '../../core/model/records.ts'
import type { MembersOf } from '../../core/policy/who-answers.ts'
import { confirmersOf, countOf, guardIn, untilIn, votersOf, votesOf, whoMay } from './approvers.ts'
import { breakGlassNotice, quotedReason } from './break-glass.ts'
import { buttonsPart, type Draft, type DraftButton, draft, smallPart, textPart } from './draft.ts'
import { inWords, type ParsedRequest, pressOf, previewOf, reasonOf } from './facts.ts'

/**
 * The question in the thread. Its buttons name the ask they answer, stay while more answers are missing, and are gone
 * once it is decided. Whoever may approve is called by name.
 */
export function askOf(request: ParsedRequest, membersOf: MembersOf): Draft {
  const { ask, id, command } = request
  const question = `${inWords(request, 'ask')}?`
  const { leave } = wordsIn(command, request.change)
  if (request.status !== 'awaiting' || ask === undefined) return answered(request, question, leave)
  const isApproval = request.requirement === 'approval'
  const why = [reasonOf(request), isApproval ? countOf(ask) : confirmersOf(request)]
    .filter((part) => part !== '')
    .join(' ')
  const value = `${id}.${ask.n}`
  const yes = pressOf(request)
  // What is about our own records hurts no endpoint, and its impact takes more than its words to tell; but whoever ends a
  // lockdown signs for it.
  const records = endsLockdown(request.change) ? 'disruptive' : 'reversible'
  const impact = request.change === undefined ? command.row.impact(command.values) : records
  const sure = { title: question, text: why, yes, no: leave }
  const presses: readonly DraftButton[] = [
    {
      label: yes,
      does: 'yes',
      value,
      style: impact === 'reversible' ? 'primary' : 'danger',
      ...(impact === 'destructive' && { sure }),
    },
    { label: leave, does: 'no', value },
    ...(isApproval
      ? [{ label: 'Decline with a reason…', does: 'form', value: `decline ${writeWord(id)}` } as const]
      : []),
  ]
  return draft(`${question} ${why}`, [
    textPart(
      { bold: question },
      ` ${why}`,
      ...(isApproval ? [' ', ...whoMay(request, ask, membersOf)] : []),
      untilIn(ask),
    ),
    ...(ask.again === undefined ? [] : [textPart(ask.again)]),
    ...(request.means ?? []).map((one) => textPart(one)),
    // Whoever filled in a form has just seen it; whoever is to approve has not.
    ...(request.via === 'form' && !isApproval ? [] : previewOf(request.preview)),
    ...votesOf(request),
    ...(isApproval ? [smallPart(`The rule: ${ask.rule}.`, ...guardIn(ask))] : []),
    buttonsPart(...presses),
  ])
}

function answered(request: ParsedRequest, question: string, leave: string): Draft {
  const { decision, ending, votes = [] } = request
  if (decision === undefined) {
    const why = ending?.says ?? 'This question has been replaced.'
    return draft(`${question} ${why}`, [textPart({ bold: question }, ` ${why}`)])
  }
  const answer = `${decision.yes ? pressOf(request) : leave}`
  const said = `${question} ${answer}.${quotedReason(decision)}`
  if (decision.glass === true) return draft(said, [textPart({ bold: question }), ...breakGlassNotice(request)])
  const who = votersOf(decision.yes && votes.length > 0 ? votes : [decision])
  return draft(said, [textPart({ bold: question }, ' ', ...who, `: ${answer}`, quotedReason(decision))])
}
