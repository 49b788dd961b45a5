import type { Command, Commands } from '../../core/commands/commands.ts'
import type { Operation } from '../../core/commands/define.ts'
import { writeLine } from '../../core/commands/parse.ts'
import { lineSentence, phrase, wordsIn } from '../../core/commands/phrases.ts'
import { idNote } from '../../core/model/endpoint.ts'
import type { Plan } from '../../core/model/plan.ts'
import type { DailyPreview } from '../../core/model/question.ts'
import type { Request } from '../../core/model/request.ts'
import { type Mention, type Part, smallPart, textPart } from './draft.ts'

/** The request of an operation, with what its line asks for. */
export interface ParsedRequest extends Request {
  readonly command: Command<Operation>
}

/** Throws Newer where only a newer version knows its line. */
export function parsedBy({ operation }: Commands, request: Request): ParsedRequest {
  return { ...request, command: operation(request.line) }
}

/** "It takes: stop, change settings, start." What is agreed to beyond the word on the button; empty for a single step. */
function takes(plan: Plan = []): string {
  if (plan.length < 2) return ''
  const steps = plan.map(({ says, goal }) => (goal.startsWith('restored:') ? `${says} if fewer come back` : says))
  return `It takes: ${steps.join(', ')}.`
}

/** "It is active, 3 replicas. It takes: stop, change settings, start." */
export function reasonOf(request: Request): string {
  const { ask, plan, endpoint } = request
  return [ask?.why ?? '', takes(plan), idNote(endpoint)].filter((part) => part !== '').join(' ')
}

/** The requester's reason. It names them: beside a decision it would read as the reason of whoever decided. */
export function becauseOf({ command, actor }: ParsedRequest): readonly Part[] {
  const { because } = command.values
  return because === undefined ? [] : [textPart('Reason from ', { person: actor }, `: “${String(because)}”`)]
}

/** What the settings were, as far as anybody here has seen them. */
export function beforeOf({ plan, before }: Request): readonly Part[] {
  const body = plan?.find(({ goal }) => goal === 'answered')?.call.body
  if (typeof body !== 'object' || body === null) return []
  const known = Object.keys(body).map((name) => `${name}: ${shownBefore(before, name)}`)
  return [{ kind: 'plain', text: `Before: ${known.join(', ')}` }]
}

function shownBefore(before: Request['before'], name: string): string {
  if (before === undefined) return 'unknown'
  const value: unknown = name === 'container_env_vars' ? before.env_keys?.join(' ') : Reflect.get(before, name)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none'
}

/** "Stop my-llm", "Freezing automation": what a request is about, in the words of its row. */
export function inWords({ command, endpoint, change }: ParsedRequest, form: 'ask' | 'doing' | 'done'): string {
  return phrase(command, endpoint?.name ?? '', form, change)
}

/** The verb and its object as a button says it; what is about no endpoint is said whole. */
export function pressOf(request: ParsedRequest): string {
  const { ask, press } = wordsIn(request.command)
  if (press !== undefined) return press
  return request.endpoint === undefined ? inWords(request, 'ask') : `${ask} ${request.endpoint.name}`
}

/** The line without the reason, which stands by itself, and with the endpoint's name where a button wrote its id. */
export function linePieces({ command: { row, values }, endpoint }: ParsedRequest): readonly (string | Mention)[] {
  const shown = {
    ...values,
    because: undefined,
    ...(endpoint && 'endpoint' in row.fields && { endpoint: endpoint.name }),
  }
  const pieces = lineSentence(writeLine(row, shown), { row, values })
  return pieces.map((piece) => (typeof piece === 'string' ? piece.trim() : piece))
}

/** More zones than anybody compares. */
const most = 3

/** The next days, a line a day, for each zone in which they read differently. Words, so that they can be read aloud. */
export function previewOf(outlooks: readonly DailyPreview[] = []): readonly Part[] {
  return outlooks
    .slice(0, most)
    .flatMap(({ zone, lines }) => [smallPart(`The next 7 days, by the clocks of ${zone}:`), { kind: 'lines', lines }])
}
