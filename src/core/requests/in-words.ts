import type { Command, Commands } from '../commands/commands.ts'
import type { Operation } from '../commands/define.ts'
import { phrase, pressPhrase } from '../commands/phrases.ts'
import { idNote } from '../model/endpoint.ts'
import { unlessNewer } from '../model/formats.ts'
import type { Goal, Plan } from '../model/plan.ts'
import { isAutomatic, type Request } from '../model/request.ts'
import { reasonIn, type Sentence, say, type Words } from '../model/words.ts'
import { hasEndedItself } from '../policy/programs.ts'

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
  return said.length < 2 ? (said[0] ?? '') : said.flatMap((part, at) => (at === 0 ? [part] : ['·', part]))
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
export function inWords(
  { command, endpoint, change }: ParsedRequest,
  form: 'ask' | 'doing' | 'leave' | 'noun',
): Sentence {
  return phrase(command, endpoint?.name ?? '', form, change)
}

/** "Stop my-llm", as its card is called; its line where only a newer version knows that. */
export function deedOf(commands: Commands, request: Request): Words {
  return unlessNewer(() => inWords(parsedBy(commands, request), 'ask'), request.line)
}

/** "Skip the stop of my-llm", of a stop that somebody has said no to. */
export function skipOf({ endpoint }: Pick<Request, 'endpoint'>): Sentence {
  return say('undo.skip', { name: endpoint?.name ?? '' })
}

/** The verb and its object as a button says it; what is about no endpoint is said whole. */
export function pressOf({ command, endpoint, change }: ParsedRequest): Sentence {
  return pressPhrase(command, endpoint?.name ?? '', change)
}

/** What the button says that agrees. A question can be longer than that, and stands above it, where there is one. */
export function yesOf(request: ParsedRequest, press: Words = pressOf(request)): Words {
  if (request.requirement !== 'approval') return press
  return request.command.row.approved === true ? say('approve.ask') : say('ask.approve', { press })
}

/** What is on the button that says no. */
export function noOf(request: ParsedRequest): Words {
  return request.requirement === 'approval' ? say('ask.decline') : inWords(request, 'leave')
}

/** "Stop my-llm?" */
export function questionOf(request: ParsedRequest): Sentence {
  const { question } = request.command.values
  if (typeof question !== 'string') return say('ask.question', { deed: inWords(request, 'ask') })
  const mark = /[?？]\s*$/.test(question) ? 'yes' : 'no'
  return say('ask.approval', { question: question.trim().replace(/[?？.]+$/, ''), mark })
}

/** "requested by @ana", or whose rule it is; what was asked for once is nobody's rule. */
export function askerOf(request: Request): Words {
  const { actor, asked, status, undoes, via = 'typed', through } = request
  const by = { person: actor }
  if (hasEndedItself(request)) return say('card.itself', { by })
  if (through !== undefined) return say('card.proposed', { name: through.name, by })
  const byRule = asked === undefined && isAutomatic(request)
  const undo = status === 'awaiting' ? 'undoing' : 'undo'
  return say('card.asker', { via: byRule ? via : undoes === undefined ? 'person' : undo, by })
}

/** What a form says of the request that it answers: its deed, and who has asked for it and why. */
export function answeredIn({ operation }: Commands, { line, endpoint, change, actor }: Request) {
  const command = operation(line)
  const { because } = command.values
  return {
    called: phrase(command, endpoint?.name ?? '', 'ask', change),
    about: say('form.asked', {
      by: { person: actor },
      ...reasonIn(because === undefined ? undefined : String(because)),
    }),
  }
}
