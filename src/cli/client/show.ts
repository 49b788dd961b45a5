import type { AnswerView, RequestView } from '../../adapters/api/views.ts'
import type { Status } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import { program } from '../../core/text/program.ts'
import { visible } from '../../core/time/format.ts'
import { plainText } from '../../core/words/plain.ts'
import { asText } from '../../core/words/render.ts'
import { type ClientTerminal, type Given, harmlessJson } from '../command-line.ts'
import type { Access, ClientReply } from './call-api.ts'

type Look = Pick<ClientTerminal, 'language' | 'colors'>

/** The sign of each mark, and its color (SGR). */
const marks: Readonly<Record<string, readonly [sign: string, color: number]>> = {
  running: ['●', 32],
  done: ['✓', 32],
  stopped: ['○', 90],
  nothing: ['·', 90],
  idle: ['◌', 33],
  changing: ['◐', 33],
  attention: ['!', 33],
  failed: ['✗', 31],
  no: ['✗', 31],
}
const [bold, dim] = [1, 90]
/** The most columns of a row that stays in one line. */
const widest = 160

/** Draws an answer as a table of mark, name and text, without any control character. */
export function drawAnswer({ title, items, block = [], foot }: AnswerView, look: Look): string {
  const marked = items.some(({ mark }) => mark !== undefined)
  const names = items.map(({ text }) => readable(text, look))
  const width = Math.max(0, ...names.map(widthOf).filter((one) => one <= 40))
  const named = (people: readonly string[]) => people.map((one) => memberIn(one, look)).join(', ')
  const rows = items.map(({ mark = '', detail = '', through = '', people = [], decided }, at) => {
    const [sign, color] = marks[mark] ?? [' ', dim]
    const name = names[at] ?? ''
    const by = decided === undefined ? '' : `${decided.says} ${named(decided.people)}`
    const rest = [detail, [through, named(people)].filter(Boolean).join(' '), by].filter((part) => part !== '')
    const column = rest.length === 0 ? name : name + ' '.repeat(Math.max(0, width - widthOf(name)))
    const said = rest.map((part) => readable(part, look))
    // A line that a terminal would break anyway.
    const isLong = widthOf([column, ...said].join('  ')) > widest
    const parts = [isLong ? name : column, ...said].filter((part) => part !== '').join(isLong ? '\n' : '  ')
    return marked ? `${painted(sign, color, look)}  ${parts}` : parts
  })
  return [
    painted(readable(title, look), bold, look),
    ...rows.map((row) => `  ${row}`.replaceAll('\n', '\n    ')),
    // Logs keep their own form.
    ...block.map(visible),
    foot === undefined ? '' : painted(readable(foot, look), dim, look),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** Like `dateStyle` and `timeStyle`, which can't be combined with a zone's name. */
const momentStyle = {
  ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
  ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const),
}

/** Removes control characters from the API's text, and writes instants in this machine's zone, with its name. */
export function readable(text: string, { language }: Pick<Look, 'language'>): string {
  const clock = new Intl.DateTimeFormat(language === 'ko' ? 'ko' : 'en-GB', momentStyle)
  return text
    .split('\n')
    .map(visible)
    .join('\n')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{3})?)?Z/g, (iso) => clock.format(new Date(iso)))
}

/** Korean letters and emoji, which take two columns. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60]|\p{Emoji_Presentation}/gu

function widthOf(text: string): number {
  return Array.from(text).length + (text.match(wide)?.length ?? 0)
}

/** Renders a member as the API names it: "user:U0ANA", "group:S0OPS", "channel:C0OPS" or "everyone". */
function memberIn(member: string, { language }: Pick<Look, 'language'>): string {
  const [kind = '', id = ''] = member.split(':')
  return asText(say('terminal.member', { kind, id }), language)
}

function painted(text: string, color: number, { colors }: Pick<Look, 'colors'>): string {
  return colors ? `\u001b[${color}m${text}\u001b[0m` : text
}

/** The exit code for each end of an operation. */
export const exitCodes: Readonly<Record<Status, number>> = {
  succeeded: 0,
  failed: 1,
  attention: 1,
  refused: 2,
  declined: 3,
  cancelled: 3,
  expired: 4,
  received: 4,
  awaiting: 4,
  running: 4,
}
export const [badLine, noEnd] = [2, 4]

/** What a script reads if nothing was proposed or refused. */
export const unchanged = JSON.stringify({ unchanged: true }, null, 2)

/** The API's reply to a query or a proposal: a plain answer, or a request. */
export type Answered = Pick<RequestView, 'id' | 'open'> & Partial<RequestView> & { readonly again?: true }

/** Prints the result, and returns the exit code. */
export function showResult(last: Answered, json: boolean, terminal: ClientTerminal): number {
  const { language, out, err } = terminal
  const answer: AnswerView | undefined = last.answer?.[language]
  if (json) out(harmlessJson(JSON.stringify(last, null, 2)))
  else if (answer !== undefined) out(drawAnswer(answer, terminal))
  // Someone who redirects the JSON still reads the result. What is still open is no result.
  const tell = json || last.open ? err : out
  if (answer === undefined) tell([stateText(last, terminal), last.quote, last.about?.link].filter(Boolean).join('\n'))
  for (const other of last.perhaps ?? []) err(`  ${program} ${readable(other, terminal)}`)
  return last.status === undefined || last.already ? 0 : exitCodes[last.status]
}

export function stateText({ id, says, status, link, expires }: Answered, terminal: ClientTerminal): string {
  const said = says?.[terminal.language] ?? ''
  if (status !== 'awaiting' || link === undefined) return readable(said, terminal)
  const until = expires && plainText(say('terminal.asked', { id, at: { at: Date.parse(expires) } }), terminal.language)
  return readable([said, until, link].filter((part) => part).join(' '), terminal)
}

/** What was sent before a call failed. */
interface Sent extends Pick<Given, 'json' | 'key'> {
  readonly access: Access
  /** Of the request, if it was accepted: then nobody knows here how it ends. */
  readonly id?: string | undefined
  /** An earlier run may have proposed the line under the same key. */
  readonly isRepeat?: boolean
}

/** Says why a call failed, and returns the exit code. */
export function tellFailure(
  reply: Exclude<ClientReply<unknown>, { readonly kind: 'ok' }>,
  { json, access, key = '', id, isRepeat = false }: Sent,
  { env, language, out, err }: ClientTerminal,
): number {
  const isUnknown = key !== '' && (id !== undefined || reply.kind === 'unreached' || reply.lost === true)
  const isRefused = reply.kind === 'problem' && reply.problem.type === 'bad-token'
  const accepted = (of: string) =>
    isRefused ? say('terminal.withdrawn', { id: of }) : say('terminal.accepted', { id: of, key })
  const perhaps = id === undefined ? say('terminal.unknown', { key }) : accepted(id)
  if (reply.kind === 'unreached') {
    if (json && !isUnknown && !isRepeat) out(unchanged)
    err(asText(say('terminal.unreached', { url: access.url, why: reply.why }), language))
    if (isUnknown) err(asText(perhaps, language))
    return noEnd
  }
  const { problem } = reply
  const isOpen = isUnknown || problem.status === 503 || problem.type === 'too-many-calls'
  const code = isOpen ? noEnd : problem.status === 500 ? exitCodes.failed : badLine
  const isUnchanged = !isUnknown && code !== exitCodes.failed && !(isRepeat && isOpen)
  if (json) out(harmlessJson(JSON.stringify({ ...problem, id, ...(isUnchanged && { unchanged: true }) }, null, 2)))
  err(readable(problem.says[language], { language }))
  for (const line of problem.perhaps ?? []) err(`  ${program} ${readable(line, { language })}`)
  if (isRefused && !env['LAMPLIGHTER_TOKEN'])
    err(asText(say('terminal.loginAgain', { program, url: access.url }), language))
  if (isUnknown) err(asText(perhaps, language))
  return code
}
