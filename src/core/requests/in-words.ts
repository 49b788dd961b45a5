import type { Command, Commands } from '../commands/commands.ts'
import type { Operation } from '../commands/define.ts'
import type { Line } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import { writeWord } from '../commands/quoting.ts'
import { idNote } from '../model/endpoint.ts'
import { unlessNewer } from '../model/formats.ts'
import { type Plan, stepName } from '../model/plan.ts'
import { onceIn, startsAtOnce } from '../model/records.ts'
import { isAutomatic, isSkipped, type Request } from '../model/request.ts'
import { programOf } from '../model/token.ts'
import { reasonIn, type Sentence, say, type Words } from '../model/words.ts'
import { hasEndedItself } from '../policy/programs.ts'
import type { People } from '../ports/services.ts'
import { isNamed, namedIn } from '../text/names.ts'
import { inTime } from './gateway.ts'

/** An operation's request, with its parsed line. */
export interface ParsedRequest extends Request {
  readonly command: Command<Operation>
}

/** Throws Newer if only a newer version can read the line. */
export function parsedBy({ operation }: Commands, request: Request): ParsedRequest {
  return { ...request, command: operation(request.line) }
}

/** Writes the word by which a button's line names a request and the question that it asks now. */
export function askWord({ id, ask }: Pick<Request, 'id' | 'ask'>): string {
  return writeWord(ask === undefined ? id : `${id}.${ask.n}`)
}

/** Joins parts: "one · two". */
export function dotted(...parts: readonly Words[]): Words {
  const said = parts.filter((part) => part !== '')
  return said.length < 2 ? (said[0] ?? '') : said.flatMap((part, at) => (at === 0 ? [part] : ['·', part]))
}

/** "Steps: stop → change settings → start." Empty for a single step, which the button already names. */
export function stepsOf(plan: Plan = []): Words {
  if (plan.length < 2) return ''
  return say('ask.steps', { steps: plan.flatMap((step, at) => [...(at === 0 ? [] : ['→']), stepName(step, 'before')]) })
}

/** "It’s running with 3 replicas. Steps: stop → change settings → start." */
export function reasonOf({ ask, plan, endpoint }: Request): Words {
  return [ask?.why ?? '', stepsOf(plan), idNote(endpoint)]
}

/** The requester's reason. Beside a decision or a cancel it names the requester, whose reason it is. */
export function becauseOf({ command, actor, decision, ending, ...request }: ParsedRequest): Words {
  const { because } = command.values
  if (because === undefined) return ''
  const whose = programOf(request) === undefined ? { person: actor } : 'program'
  const by = decision === undefined && ending?.by === undefined ? 'none' : whose
  return say('card.reason', { reason: String(because), by })
}

/** "Stop my-llm", "Freezing automation": the row's phrase for this request. */
export function inWords({ command, endpoint, change }: ParsedRequest, form: 'ask' | 'doing' | 'leave' | 'noun') {
  return phrase(command, endpoint?.name ?? '', form, change)
}

/** "Stop my-llm" as on the card; the plain line if only a newer version can read it. */
export function requestPhrase(commands: Commands, request: Request): Words {
  return unlessNewer(() => inWords(parsedBy(commands, request), 'ask'), request.line)
}

/** "Stop my-llm", or "Skip the stop of my-llm" for an announced stop or start that people declined. */
export function phraseOrSkip(commands: Commands, request: Request): Words {
  if (!isSkipped(request)) return requestPhrase(commands, request)
  return say('undo.skip', { name: request.endpoint?.name ?? '', verb: request.line.split(' ')[0] ?? '' })
}

/** Names a button that acts on a request, without its times: a label cannot show them in the reader's zone. */
export function labelOn(request: Request, says: 'undo.offer' | 'undo.back' | 'request.cancels'): Sentence {
  const { line, endpoint, change } = request
  const isLater = onceIn(change) !== undefined && !startsAtOnce(change)
  const later = change?.alters === true || change?.drop !== undefined ? 'endRun' : 'stopAt'
  const isIdleOff = change?.put?.some((one) => one.kind === 'idle' && one.mode === 'off') === true
  const [own = ''] = line.split(' ')
  const verb = isSkipped(request) ? `skip_${own}` : isLater ? later : isIdleOff ? 'idleOff' : own
  return say(says, { verb, on: endpoint === undefined ? 'none' : 'one', name: endpoint?.name ?? '' })
}

/** The button's verb and object. A command about no endpoint uses its whole phrase. */
export function pressOf({ command, endpoint, change }: ParsedRequest): Sentence {
  return phrase(command, endpoint?.name ?? '', 'press', change)
}

/** The label of the button that agrees. A long question, if there is one, stands above the button instead. */
export function yesOf(request: ParsedRequest, press: Words = pressOf(request)): Words {
  if (request.requirement !== 'approval') return press
  return request.command.row.needsApproval === true ? say('approve.ask') : say('ask.approve', { press })
}

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

/** "requested by @ana", or whose rule it is. A one-time schedule counts as requested by a person. */
export function askerOf(request: Request): Words {
  const { actor, asked, status, undoes, via = 'typed' } = request
  const program = programOf(request)
  const by = { person: actor }
  if (hasEndedItself(request)) return say('card.itself', { by })
  if (program !== undefined) return say('card.proposed', { name: program, by })
  const byRule = asked === undefined && isAutomatic(request)
  const undo = status === 'awaiting' ? 'undoing' : 'undo'
  return say('card.asker', { via: byRule ? via : undoes === undefined ? 'person' : undo, by })
}

/** A form's summary of the request that it answers: its phrase, the requester and the reason. */
export function answeredIn(commands: Commands, request: Request) {
  const parsed = parsedBy(commands, request)
  const because = parsed.command.values['because']?.toString()
  const program = programOf(request) ?? ''
  const how = program === '' ? 'person' : 'program'
  const about = say('form.asked', { how, program, by: { person: request.actor }, ...reasonIn(because) })
  return { called: inWords(parsed, 'ask'), about }
}

/** Returns the requests whose endpoint a text names; if there are none, those whose requester it names. */
export async function requestsIn(namesOf: People['namesOf'], requests: readonly Request[], typed: string) {
  const on = requests.filter(({ endpoint }) => endpoint !== undefined && namedIn(typed, [endpoint]).length > 0)
  if (on.length > 0) return on
  const words = typed.toLowerCase().split(/[\s?!.,’']+/)
  const isMeant = async ({ actor: { user } }: Request) => {
    const names = [user, ...((await inTime(namesOf(user), null)) ?? [])]
    return words.some((word) => isNamed(word, names))
  }
  const meant = await Promise.all(requests.map(isMeant))
  return requests.filter((_, at) => meant[at])
}

/** The most people whose names are looked up for one line. */
const mostLookedUp = 5

/** A person as typed in a text, where nothing becomes a mention. */
const idInText = /(?<!\w)@[UW][A-Z0-9]{2,20}\b/g

/** Looks up the people whose ids a text has. Returns what replaces the ids by names: everybody would read `@U02ABCDEF`. */
export async function namingIn(namesOf: People['namesOf'], text: string): Promise<(part: string) => string> {
  const ids = [...new Set(text.match(idInText))].slice(0, mostLookedUp)
  const found = await Promise.all(ids.map(async (id) => [id, (await inTime(namesOf(id.slice(1)), null))?.[0]] as const))
  const names = new Map(found)
  return (part) => part.replace(idInText, (id) => `@${names.get(id) ?? id.slice(1)}`)
}

/** Replaces the ids in a line's texts, such as the reason, by names. */
export async function withNamesInTexts(namesOf: People['namesOf'], commands: Commands, read: Line): Promise<Line> {
  const { row, values, line } = read
  if (line.search(idInText) === -1) return read
  const naming = await namingIn(namesOf, line)
  const named = Object.entries(values).map(([field, value]) => {
    const isText = row.fields[field]?.kind === 'text' && typeof value === 'string'
    return [field, isText ? naming(value) : value] as const
  })
  const again = commands.parse(commands.write(row.name, Object.fromEntries(named)))
  // A text may be too long with names in it.
  return again.kind === 'line' ? again.read : read
}
