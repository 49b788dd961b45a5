import type { Command, Commands } from '../commands/commands.ts'
import type { Operation } from '../commands/define.ts'
import { phrase, pressPhrase } from '../commands/phrases.ts'
import { idNote } from '../model/endpoint.ts'
import type { Goal, Plan } from '../model/plan.ts'
import type { Ask, Vote } from '../model/question.ts'
import { admitsTerminal } from '../model/records.ts'
import { isAutomatic, type Request } from '../model/request.ts'
import type { Actor, Member } from '../model/roles.ts'
import { type Sentence, type SentenceValue, say, type Words } from '../model/words.ts'
import { hasEndedItself } from '../policy/programs.ts'
import { answerersOf, confirmerOf, type MembersOf } from '../policy/who-answers.ts'

/** The request of an operation, with what its line asks for. */
export interface ParsedRequest extends Request {
  readonly command: Command<Operation>
}

/** Throws Newer where only a newer version knows its line. */
export function parsedBy({ operation }: Commands, request: Request): ParsedRequest {
  return { ...request, command: operation(request.line) }
}

/** "one · two": what is said beside each other. */
export function dotted(...parts: readonly Words[]): Words {
  const said = parts.filter((part) => part !== '')
  return said.length === 0 ? '' : said.flatMap((part, at) => (at === 0 ? [part] : ['·', part]))
}

/** "Steps: stop → change settings → start." What is agreed to beyond the word on the button; empty for a single step. */
export function stepsOf(plan: Plan = []): Words {
  if (plan.length < 2) return ''
  return say('ask.steps', { steps: plan.flatMap(({ goal }, at) => [...(at === 0 ? [] : ['→']), stepOf(goal)]) })
}

function stepOf(goal: Goal): Sentence {
  const [what = '', count = '0'] = goal.split(':')
  return say('ask.step', { what, count: Number(count) })
}

/** "It’s running with 3 replicas. Steps: stop → change settings → start." */
export function reasonOf({ ask, plan, endpoint }: Request): Words {
  return [ask?.why ?? '', stepsOf(plan), idNote(endpoint)]
}

/** The requester's reason. Beside a decision or a cancel it names them: else it would read as a reason for that. */
export function becauseOf({ command, actor, through, decision, ending }: ParsedRequest): Words {
  const { because } = command.values
  if (because === undefined) return ''
  const whose = through === undefined ? { person: actor } : 'program'
  const by = decision === undefined && ending?.by === undefined ? 'none' : whose
  return say('card.reason', { reason: String(because), by })
}

/** "Stop my-llm", "Freezing automation": what a request is about, in the words of its row. */
export function inWords({ command, endpoint, change }: ParsedRequest, form: 'ask' | 'doing' | 'leave'): Sentence {
  return phrase(command, endpoint?.name ?? '', form, change)
}

/** The verb and its object as a button says it; what is about no endpoint is said whole. */
export function pressOf({ command, endpoint, change }: ParsedRequest): Sentence {
  return pressPhrase(command, endpoint?.name ?? '', change)
}

/** What the button says that agrees. A question can be longer than that, and stands above it. */
export function yesOf(request: ParsedRequest): Words {
  const press = pressOf(request)
  if (request.requirement !== 'approval') return press
  return request.command.row.approved === true ? say('approve.ask') : say('ask.approve', { press })
}

/** What is on the button that says no. */
export function noOf(request: ParsedRequest): Words {
  return request.requirement === 'approval' ? say('ask.decline') : inWords(request, 'leave')
}

/** What whoever answers needs to know besides the question. */
export function knownOf(request: ParsedRequest): Words {
  const yours = admitsTerminal(request.change) ? say('token.yours') : ''
  return [reasonOf(request), ...(request.means ?? []), yours, votesOf(request), becauseOf(request)]
}

/** "Stop my-llm?" */
export function questionOf(request: ParsedRequest): Sentence {
  return say('ask.question', { deed: inWords(request, 'ask') })
}

/** "requested by @ana", or whose rule it is; what was asked for once is nobody's rule. */
export function askerOf(request: Request): Words {
  const { actor, asked, undoes, via = 'typed', through } = request
  const by = { person: actor }
  if (hasEndedItself(request)) return say('card.itself', { by })
  if (through !== undefined) return say('card.proposed', { name: through.name, by })
  const byRule = asked === undefined && isAutomatic(request)
  return say('card.asker', { via: byRule ? via : undoes === undefined ? 'person' : 'undo', by })
}

/** "expires today at 10:42"; a notice just happens. */
export function expiresOf({ ask, requirement }: Request): Words {
  return ask === undefined || requirement === 'notice' ? '' : say('card.expires', { at: { at: ask.expiresAt } })
}

/** "needs 2 approvals"; with the first of them `votesOf` says how many are missing. */
export function countOf(request: Request): Words {
  const count = neededBy(request)
  return count === 0 || (request.votes ?? []).length > 0 ? '' : say('card.needs', { count })
}

/** How many more approvals are needed; 0 for a confirmation. */
export function neededBy({ requirement, ask, votes = [] }: Request): number {
  return requirement === 'approval' ? Math.max(0, (ask?.asking.needed ?? 0) - votes.length) : 0
}

/** More would call half the workspace together. */
const mostNamed = 10

/** Who decides without an approval. */
export function confirmersOf(request: Request): Sentence {
  return say('ask.confirmers', { role: confirmerOf(request), by: { person: request.actor } })
}

/** "Needs 2 approvals from @sre or @ben. The requester can’t approve." */
export function needsOf(request: Request, ask: Ask, membersOf: MembersOf): Words {
  const names = answerersOf(request, membersOf).now
  const { standIns = [] } = ask
  const count = Math.max(1, ask.asking.needed - (request.votes?.length ?? 0))
  if (names.length === 0 && standIns.length === 0) return say('ask.needsNobody', { count })
  const who = names.length === 0 ? 'approvers' : membersText(names)
  // What is over by then need not be looked at to be true.
  const others = standIns.map(({ to, of, until }) =>
    say('ask.standIn', { to: { person: to }, of: { person: of }, until: { at: until } }),
  )
  const had = (request.votes ?? []).length > 0 ? 'yes' : 'no'
  return [say('ask.needs', { count, who, had }), ...others]
}

/** Members of the policy: "@sre, @ops, or @ben". */
export function membersText(members: readonly Member[]): SentenceValue {
  const everybody = members.find(({ kind }) => kind === 'everyone')
  if (everybody !== undefined) return everybody
  const few = members.slice(0, mostNamed)
  const left = members.length - few.length
  return { any: [...few, ...(left === 0 ? [] : [say('people.more', { count: left })])] }
}

/** "Approved by @ben for @dana. 1 more needed.": the votes so far. */
export function votesOf({ ask, votes = [] }: Request): Words {
  if (ask === undefined || votes.length === 0) return ''
  return say('ask.votes', { left: Math.max(0, ask.asking.needed - votes.length), by: votersOf(votes) })
}

/** "@ben for @dana and @cleo" */
export function votersOf(votes: readonly Pick<Vote, 'by' | 'for'>[]): SentenceValue {
  return { all: votes.map(({ by, for: absent }) => voter(by, absent)) }
}

function voter(by: Actor, absent: Actor | undefined): SentenceValue {
  return absent === undefined
    ? { person: by }
    : say('people.inPlace', { by: { person: by }, absent: { person: absent } })
}
