import type { RichTextBlock, SectionBlock } from '@slack/types'
import { alikeText } from '../domain/lookalike.ts'
import type { Plan } from '../domain/plan.ts'
import type { Request } from '../domain/request.ts'
import type { Command, Commands } from '../operations/commands.ts'
import type { Operation } from '../operations/define.ts'
import { writeLine } from '../operations/line.ts'
import { phrase, wordsIn } from '../operations/phrase.ts'
import { paragraph, row } from './blocks.ts'
import { withPeople } from './people-in-lines.ts'
import type { Mention } from './pieces.ts'

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
  const { ask, plan } = request
  return [ask?.why ?? '', takes(plan), alikeOf(request)].filter((part) => part !== '').join(' ')
}

/** Which of those that look the same is meant; empty where nothing else does. */
export function alikeOf({ alike, endpoint }: Request): string {
  return alike === true && endpoint !== undefined ? alikeText(endpoint) : ''
}

/** The requester's reason. It names them: beside a decision it would read as the reason of whoever decided. */
export function becauseOf({ command, actor }: ParsedRequest): readonly RichTextBlock[] {
  const { because } = command.values
  return because === undefined ? [] : [paragraph('Reason from ', { person: actor }, `: “${String(because)}”`)]
}

/** What the settings were, as far as anybody here has seen them. */
export function beforeOf({ plan, before }: Request): readonly SectionBlock[] {
  const body = plan?.find(({ goal }) => goal === 'answered')?.call.body
  if (typeof body !== 'object' || body === null) return []
  const known = Object.keys(body).map((name) => `${name}: ${shownBefore(before, name)}`)
  return [row([`Before: ${known.join(', ')}`])]
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
export function lineOf({ command: { row, values }, endpoint }: ParsedRequest): readonly (string | Mention)[] {
  const shown = {
    ...values,
    because: undefined,
    ...(endpoint && 'endpoint' in row.fields && { endpoint: endpoint.name }),
  }
  return withPeople(writeLine(row, shown), row, values).map((piece) =>
    typeof piece === 'string' ? piece.trim() : piece,
  )
}
