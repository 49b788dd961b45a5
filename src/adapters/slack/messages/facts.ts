import type { ContextBlock, RichTextBlock, SectionBlock } from '@slack/types'
import type { Command, Commands } from '../../../core/commands/commands.ts'
import type { Operation, Row } from '../../../core/commands/define.ts'
import { readLine, writeLine } from '../../../core/commands/parse.ts'
import { phrase, wordsIn } from '../../../core/commands/phrases.ts'
import { alikeText } from '../../../core/model/endpoint.ts'
import type { Plan } from '../../../core/model/plan.ts'
import type { Outlook } from '../../../core/model/question.ts'
import type { Given, Request } from '../../../core/model/request.ts'
import { instant } from '../../../core/time/format.ts'
import { absoluteIn } from '../../../core/time/parse-when.ts'
import { rows } from '../../../features/command-table.ts'
import { paragraph, preformatted, row, small } from '../kit/blocks.ts'
import type { Mention } from '../kit/rich-text.ts'

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

/** A line with its people as mentions and its instants as such, where it is one; any other text is left as it is. */
export function peopleIn(text: string): readonly (string | Mention)[] {
  const read = /@|\dt\d/i.test(text) ? readLine(text, rows) : undefined
  return read?.kind === 'line' ? withPeople(text, read.read.row, read.read.values) : [text]
}

/**
 * A written line in which whoever its fields name is a mention, and an instant that is the same for everybody one that
 * each reads in their own time zone. What only looks like somebody, such as the name of an endpoint, stays a word.
 */
function withPeople(line: string, row: Row, values: Given): readonly (string | Mention)[] {
  const people = Object.entries(row.fields).flatMap(([name, { kind }]) => (kind === 'person' ? [values[name]] : []))
  return line
    .split(/(?<=^|[ =])(@[UW][A-Z0-9]+)(?= |$)/)
    .map((part, at) =>
      at % 2 === 1 && people.includes(part)
        ? { person: { team: '', user: part.slice(1) } }
        : withTimes(part, row, values),
    )
    .filter((part) => part !== '')
}

function withTimes(text: string, { fields }: Row, values: Given): string {
  return Object.entries(fields).reduce((shown, [name, { kind, lead }]) => {
    const at = kind === 'when' ? absoluteIn(String(values[name])) : null
    return at === null ? shown : shown.replace(`${lead} ${values[name]}`, `${lead} ${instant(at)}`)
  }, text)
}

/** More zones than anybody compares. */
const most = 3

/** The next days, a line a day, for each zone in which they read differently. Words, so that they can be read aloud. */
export function previewOf(outlooks: readonly Outlook[] = []): readonly (ContextBlock | RichTextBlock)[] {
  return outlooks
    .slice(0, most)
    .flatMap(({ zone, lines }) => [small(`The next 7 days, by the clocks of ${zone}:`), preformatted(lines)])
}
