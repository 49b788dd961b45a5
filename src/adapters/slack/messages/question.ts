import { wordsIn } from '../../../core/commands/phrases.ts'
import { writeWord } from '../../../core/commands/tokens.ts'
import { endsLockdown } from '../../../core/model/records.ts'
import { button, buttons, confirmed, formButton, type Message, message, paragraph, small } from '../kit/blocks.ts'
import {
  confirmersOf,
  countOf,
  guardIn,
  inPolicyWords,
  type MembersOf,
  untilIn,
  votersOf,
  votesOf,
  whoMay,
} from './approvers.ts'
import { glassOf, quoted } from './break-glass.ts'
import { inWords, type ParsedRequest, pressOf, previewOf, reasonOf } from './facts.ts'

/**
 * The question in the thread. Its buttons name the ask they answer, stay while more answers are missing, and are gone
 * once it is decided. Whoever may approve is called by name.
 */
export function askOf(request: ParsedRequest, membersOf: MembersOf): Message {
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
  const press = button(yes, 'answer:yes', value, impact === 'reversible' ? 'primary' : 'danger')
  const sure = impact === 'destructive' ? confirmed(press, question, why, [yes, leave]) : press
  const no = button(leave, 'answer:no', value)
  const because = isApproval ? [formButton(`decline ${writeWord(id)}`, 'Decline with a reason…')] : []
  return message(`${question} ${why}`, [
    paragraph(
      { bold: question },
      ` ${why}`,
      ...(isApproval ? [' ', ...whoMay(request, ask, membersOf)] : []),
      untilIn(ask),
    ),
    ...(ask.again === undefined ? [] : [paragraph(ask.again)]),
    ...(request.means ?? []).map((one) => paragraph(one)),
    // Whoever filled in a form has just seen it; whoever is to approve has not.
    ...(request.via === 'form' && !isApproval ? [] : previewOf(request.preview)),
    ...votesOf(request),
    ...(isApproval ? [small(`The rule: ${inPolicyWords(ask.rule)}.`, ...guardIn(ask))] : []),
    buttons(sure, no, ...because),
  ])
}

function answered(request: ParsedRequest, question: string, leave: string): Message {
  const { decision, ending, votes = [] } = request
  if (decision === undefined) {
    const why = ending?.says ?? 'This question has been replaced.'
    return message(`${question} ${why}`, [paragraph({ bold: question }, ` ${why}`)])
  }
  const answer = `${decision.yes ? pressOf(request) : leave}`
  const said = `${question} ${answer}.${quoted(decision)}`
  if (decision.glass === true) return message(said, [paragraph({ bold: question }), ...glassOf(request)])
  const who = votersOf(decision.yes && votes.length > 0 ? votes : [decision])
  return message(said, [paragraph({ bold: question }, ' ', ...who, `: ${answer}`, quoted(decision))])
}
