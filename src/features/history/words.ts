import { type Command, calledLine, storedLine } from '../../core/commands/commands.ts'
import type { Context, Operation, Row } from '../../core/commands/define.ts'
import { writeLine } from '../../core/commands/parse.ts'
import { lineInWords, maybeSay, phrase } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { currentState } from '../../core/model/endpoint.ts'
import type { QueryAnswer } from '../../core/model/query-answer.ts'
import { answersTo, idWord } from '../../core/model/question.ts'
import { isRule } from '../../core/model/records.ts'
import { type Event, isAutomatic, type Past } from '../../core/model/request.ts'
import { ruleName } from '../../core/model/rules.ts'
import { programOf } from '../../core/model/token.ts'
import { idOf, quoted, say, untilIn, type Words, withTexts } from '../../core/model/words.ts'
import { hasEndedItself } from '../../core/policy/programs.ts'
import { announcedText } from '../../core/requests/awaited.ts'
import { dotted } from '../../core/requests/in-words.ts'
import { hide } from '../../core/text/redact.ts'
import type { SentenceId } from '../../words/english.ts'
import type { HistoryValues } from './fields.ts'
import { askedAbout } from './search.ts'

type Item = QueryAnswer['items'][number]

/** Returns the request's line; for an answer to another request, that request's line: "approved: stop my-llm". */
export function askedFor({ request, about }: Past, rows: readonly Row[]): Words {
  const command = storedLine(request.line, rows)
  if (about === undefined || command?.row.kind !== 'operation') {
    const text = withTexts(calledWith(request, rows), hide)
    return typeof text === 'string' ? lineInWords(text, rows) : text
  }
  const { row, values } = command
  const { because } = values
  // An approval may have confirmed, and a decline of one's own request cancelled it.
  const own = sentencesIn(request.ending?.says ?? '').find((one) => /^(confirm|cancel)\.done$/.test(idOf(one) ?? ''))
  const done = own === undefined ? (`${row.name}.done` as SentenceId) : (idOf(own) as SentenceId)
  const id = request.status === 'succeeded' ? done : 'history.tried'
  const says = say(id, { verb: maybeSay(`${row.name}.ask`) ?? row.name, deed: about.deed })
  return because === undefined ? says : [says, hide(`“${String(because)}”`)]
}

/** Describes a request's outcome: the title, and the rest of its final message. */
export function outcomeOf(past: Past, rows: readonly Row[], now: number) {
  const { request, about } = past
  const { line, status, ending, endpoint, change } = request
  const { says = '' } = ending ?? {}
  const isDone = status === 'succeeded' || status === 'failed'
  // A list has no card beside it, and the state may have changed since.
  const isStill = (one: Words) => !/^(approval\.goesOn$|seen\.)/.test(idOf(one) ?? '')
  const [first = '', ...more] = sentencesIn(says).filter(isStill)
  const quote = status === 'succeeded' ? '' : quoted(ending)
  if (about !== undefined) return { title: askedFor(past, rows), rest: isDone ? '' : [says, quote] }
  const until = change?.put?.flatMap((one) => ('until' in one ? [one.until ?? now + 1] : []))[0] ?? now + 1
  // What a token may do is only for its owner and readers of its card.
  const isToken = change?.put?.some(({ kind }) => kind === 'token') === true
  // The request's own time says when a token was revoked.
  const isRevoked = change?.put?.some((one) => one.kind === 'token' && one.revoked === true) === true
  const was = isRevoked || untilIn(first) !== undefined ? [] : [say('card.until', { until: { at: until } })]
  // What else a change meant at that time may no longer be so.
  const means = change === undefined ? more : until > now && !isToken ? [] : was
  if (isDone && first !== '') return { title: withTexts(first, hide), rest: [...means, quote] }
  const command = storedLine(line, rows)
  const rest = idOf(says) === 'request.unchanged' && more.length === 0 ? '' : [says, quote]
  if (command?.row.kind !== 'operation') return { title: askedFor(past, rows), rest }
  const name = endpoint?.name ?? String(command.values['endpoint'] ?? command.values['request'] ?? '')
  const asks = phrase(command as Command<Operation>, name, 'ask', change)
  // These commands have no phrase with a name: "Undo". An id would say nothing.
  const isNamed = command.row.deed !== undefined && name !== '' && !idWord.test(name)
  const text = isNamed ? say('history.tried', { verb: asks, deed: name }) : asks
  return { title: withTexts(text, hide), rest }
}

function sentencesIn(words: Words): readonly Words[] {
  if (words === '') return []
  return typeof words === 'string' || 'say' in words ? [words] : words.flatMap(sentencesIn)
}

/** Returns the requester's reason. That of a start for a while is not the reason of the stop at its end. */
export function requesterReason({ line, asked }: Past['request'], rows: readonly Row[]): string | undefined {
  const [done, before] = [line, asked ?? line].map((one) => storedLine(one, rows))
  const isOther = done?.row.wants !== before?.row.wants
  const because = isOther ? undefined : before?.values['because']
  return because === undefined ? undefined : String(because)
}

/** Returns the reasons for a request and for its refusal, or says that none was given to someone who asked why. */
export function reasonsOf(request: Past['request'], rows: readonly Row[]): Words {
  const { line, evidence, status } = request
  const { decision } = answersTo(request)
  const { row, values = {} } = storedLine(line, rows) ?? {}
  const [asked, answered] = [requesterReason(request, rows), decision?.because].map(
    (one) => one !== undefined && hide(one),
  )
  const said = [
    ...(asked ? [say('history.reason', { of: 'request', reason: asked })] : []),
    ...(answered
      ? [say('history.reason', { of: decision?.glass === true ? 'bypass' : 'answer', reason: answered })]
      : []),
  ]
  if (evidence !== undefined) return dotted(evidence, ...said)
  const isStop = row?.kind === 'operation' && row.wants === 'down' && row.laterBy?.(values) !== true
  const isUnsaid = isStop && status === 'succeeded' && said.length === 0 && !isAutomatic(request)
  return isUnsaid ? say('history.noReason') : dotted(...said)
}

/** Returns the person who asked, or the owner of the rule. */
export function askedBy(request: Past['request']): Pick<Item, 'who' | 'through' | 'program'> {
  const name = programOf(request)
  const how = hasEndedItself(request) ? 'history.itself' : 'history.proposed'
  if (name !== undefined) return { who: request.actor, through: say(how, { name }), program: name }
  const isByRule = isAutomatic(request) && request.asked === undefined
  return { who: request.actor, ...(isByRule && { through: say('history.byRule', { via: request.via ?? '' }) }) }
}

/** Returns the line with the endpoint's name, and with a rule in words instead of its id. */
function calledWith({ line, endpoint, replaced = [] }: Past['request'], rows: readonly Row[]): Words {
  const called = calledLine(line, endpoint, rows)
  const command = storedLine(called, rows)
  if (command?.values['rule'] === undefined) return called
  const { row, values } = command
  const removed = replaced.filter(isRule).map(ruleName)
  const written = writeLine(row, { ...values, rule: undefined })
  return say('history.unscheduled', { line: written, count: removed.length, rules: { all: removed } })
}

/** Returns an event's detail, without the line that is in the title, and without a success that was seen too. */
export function calledIn({ what, detail: said = '' }: Event, request: Past['request'], rows: readonly Row[]): Words {
  const { line, endpoint } = request
  if (typeof said === 'string') return what === 'undo' ? calledLine(said, endpoint, rows) : said
  if ('say' in said) return said
  if (what === 'succeeded') return said[0] ?? ''
  return said[0] === `${line} —` ? said.slice(1) : said
}

/** Says what is true now: the open request, the state unless the last start or stop is told, and what decides. */
export function saidNow(context: Context<HistoryValues>, isTold: boolean) {
  const found = askedAbout(context)
  if (found === undefined) return { active: null, open: '', state: '', decided: '', offers: [] }
  const { id, name, active } = found
  const asked = context.openOn?.(found).find(({ requirement }) => requirement !== 'notice')
  const command = asked && storedLine(asked.line, context.rows)
  const open: Words =
    command?.row.kind !== 'operation'
      ? ''
      : say('explain.open', { deed: phrase(command as Command<Operation>, name, 'ask') })
  const [by = '', announced] = [context.decidedOf?.(found), context.announcedOf?.(found)]
  const next = announced ? announcedText(announced) : ''
  const rules: Words = by || next ? [by, next] : say(active ? 'history.runsOn' : 'history.noRule', { name })
  const state = currentState(found)
  return {
    active,
    open,
    state: active === null || (isTold && state !== 'failed') ? '' : say('history.isNow', { name, state }),
    decided: active === null || open !== '' ? '' : rules,
    offers: [{ label: say('action.status'), line: `status ${writeWord(id)}` }],
  }
}
