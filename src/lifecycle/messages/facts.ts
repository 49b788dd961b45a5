import type { Command, Commands } from '../../core/commands/commands.ts'
import type { Operation } from '../../core/commands/define.ts'
import { writeLine } from '../../core/commands/parse.ts'
import { lineSentence, phrase, pressPhrase } from '../../core/commands/phrases.ts'
import { idNote } from '../../core/model/endpoint.ts'
import type { Plan } from '../../core/model/plan.ts'
import type { Ask, DailyPreview, Vote } from '../../core/model/question.ts'
import type { Request } from '../../core/model/request.ts'
import type { Member } from '../../core/model/roles.ts'
import { type Mention, type Sentence, say, type Words } from '../../core/model/words.ts'
import { answerersOf, confirmerOf, type MembersOf } from '../../core/policy/who-answers.ts'
import { instant } from '../../core/time/format.ts'
import { type Part, type Piece, smallPart, textPart } from './draft.ts'

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
export function reasonOf(request: Request): Words {
  const { ask, plan, endpoint } = request
  return [ask?.why ?? '', takes(plan), idNote(endpoint)]
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
export function inWords({ command, endpoint, change }: ParsedRequest, form: 'ask' | 'doing' | 'leave'): Sentence {
  return phrase(command, endpoint?.name ?? '', form, change)
}

/** The verb and its object as a button says it; what is about no endpoint is said whole. */
export function pressOf({ command, endpoint, change }: ParsedRequest): Sentence {
  return pressPhrase(command, endpoint?.name ?? '', change)
}

/** "Stop my-llm?" */
export function questionOf(request: ParsedRequest): Sentence {
  return say('ask.question', { deed: inWords(request, 'ask') })
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
const mostZones = 3

/** The next days, a line a day, for each zone in which they read differently. Words, so that they can be read aloud. */
export function previewOf(outlooks: readonly DailyPreview[] = []): readonly Part[] {
  return outlooks
    .slice(0, mostZones)
    .flatMap(({ zone, lines }) => [smallPart(`The next 7 days, by the clocks of ${zone}:`), { kind: 'lines', lines }])
}

/** More would call half the workspace together. */
const mostNamed = 10

/** "It takes 2 approvals." */
export function countOf({ asking }: Ask): string {
  return `It takes ${approvals(asking.needed)}.`
}

export function approvals(count: number, more: '' | 'more ' = ''): string {
  return `${count} ${more}${count === 1 ? 'approval' : 'approvals'}`
}

/** Who decides without an approval. */
export function confirmersOf(request: Request): string {
  return confirmerOf(request) === 'admin' ? 'Any admin decides.' : 'The requester or another operator decides.'
}

/** Who may approve: "@sre or @ben may give them, the requester may not." */
export function whoMay(request: Request, ask: Ask, membersOf: MembersOf): readonly Piece[] {
  const names = memberList(answerersOf(request, membersOf).now)
  const them = ask.asking.needed === 1 ? 'it' : 'them'
  const others = standInsOf(ask)
  const also = others.length === 0 ? [] : [' (', ...others, ')']
  if (names.length === 0 && others.length === 0)
    return ['Nobody whom lamplighter.yaml names for approvals could give it now.']
  return [...(names.length === 0 ? ['Any approver'] : names), ` may give ${them}`, ...also, ', the requester may not.']
}

/** "@cleo for @ben until Jan 5 at 09:00": what is over by then need not be looked at to be true. */
function standInsOf({ standIns = [] }: Ask): readonly Piece[] {
  return standIns.flatMap(({ to, of, until }, at) => [
    ...(at === 0 ? [] : [', ']),
    { person: to },
    ' for ',
    { person: of },
    ` until ${instant(until)}`,
  ])
}

/** Until when an answer counts, as the end of the question. */
export function untilIn({ expiresAt }: Ask): string {
  return ` Open until ${instant(expiresAt)}.`
}

/** What protects the endpoint that is asked about. */
export function guardIn({ guard }: Ask): readonly (string | Mention)[] {
  if (guard === undefined) return []
  const { who, says, inWords = says } = guard
  return who === undefined ? [inWords] : [{ person: who }, says]
}

/** Members of the policy: "@sre, @ops or @ben"; nothing where that is nobody. */
export function memberList(members: readonly Member[]): readonly Piece[] {
  if (members.some(({ kind }) => kind === 'everyone')) return ['Anybody in this workspace']
  const few: readonly Piece[] =
    members.length > mostNamed ? [...members.slice(0, mostNamed), `${members.length - mostNamed} more`] : members
  return few.flatMap((piece, at) => [at === 0 ? '' : at === few.length - 1 ? ' or ' : ', ', piece])
}

/** "1 of 2 · agreed by @ben for @dana": the votes so far. */
export function votesOf({ ask, votes = [] }: Request): readonly Part[] {
  if (ask === undefined || votes.length === 0) return []
  return [textPart(`${votes.length} of ${ask.asking.needed} · agreed by `, ...votersOf(votes))]
}

/** "@ben for @dana, @cleo" */
export function votersOf(votes: readonly Pick<Vote, 'by' | 'for'>[]): readonly (string | Mention)[] {
  return votes.flatMap(({ by, for: absent }, at) => [
    ...(at === 0 ? [] : [', ']),
    { person: by },
    ...(absent === undefined ? [] : [' for ', { person: absent }]),
  ])
}
