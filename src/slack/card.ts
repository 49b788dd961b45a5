import { type Actor, isSame } from '../domain/actor.ts'
import { lasting } from '../domain/duration.ts'
import type { Seen } from '../domain/progress.ts'
import { isEnded, type Request } from '../domain/request.ts'
import type { Words } from '../operations/define.ts'
import { phrase } from '../operations/phrase.ts'
import { operationIn } from '../operations/stored.ts'
import { button, buttons, confirmed, type Message, message, type Piece, paragraph, small } from './blocks.ts'
import { becauseOf, beforeOf, lineOf, takes } from './facts.ts'
import { offered } from './offers.ts'

/** The one message of a request, as it stands now. */
export function cardOf(request: Request, now: number): Message {
  if (isEnded(request.status)) return endOf(request)
  const name = request.endpoint?.name ?? ''
  const head =
    request.status === 'awaiting' ? `${phrase(request.line, name, 'ask')}?` : `${phrase(request.line, name, 'doing')}…`
  const detail = request.status === 'awaiting' ? reasonOf(request) : underWay(request, now)
  return message(`${head} ${detail}`, [
    paragraph({ bold: head }, detail === '' ? '' : ` ${detail}`),
    ...becauseOf(request),
    ...beforeOf(request),
    small({ person: request.actor }, lineOf(request), ...agreed(request)),
  ])
}

/** "It is active, 3 replicas. It takes: stop, change settings, start." */
function reasonOf({ ask, plan }: Request): string {
  return [ask?.why ?? '', takes(plan)].filter((part) => part !== '').join(' ')
}

function agreed({ decision }: Request): readonly (string | { readonly person: Actor })[] {
  return decision === undefined || !decision.yes ? [] : ['agreed by', { person: decision.by }]
}

/** "DEPLOYING, 1 of 3 replicas running · 1 min", as far as anything was seen. */
function underWay({ progress, startedAt }: Request, now: number): string {
  const step = progress?.find(({ done }) => done !== true)
  const last = step?.sends.at(-1)
  const unsure = last !== undefined && last.outcome?.kind !== 'answered' && last.outcome?.kind !== undefined
  const waited = startedAt !== undefined && now - startedAt >= 10_000 ? lasting(now - startedAt) : ''
  const parts = [
    unsure ? 'The platform gave no clear answer; looking what became of it' : seenOf(step?.looks.at(-1)),
    waited,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function seenOf(seen: Seen | undefined): string {
  if (seen === undefined) return ''
  const replicas =
    seen.running !== undefined && seen.replicas !== undefined
      ? `${seen.running} of ${seen.replicas} replicas running`
      : ''
  return [seen.status ?? '', replicas].filter((part) => part !== '').join(', ')
}

/** The end: our sentence, the platform's own, how long it took, who asked and why. */
export function endOf(request: Request): Message {
  const { ending, actor, decision } = request
  if (ending === undefined) throw new Error('A request that is not over has no end to show.')
  const quote = ending.quote === undefined ? '' : `“${ending.quote}”`
  const took = lengthOf(request, ending.at)
  const tail: Piece[] = [
    ...(took === '' ? [] : [` · ${took}`]),
    ' · ',
    { person: actor },
    ...(decision === undefined || isSame(decision.by, actor)
      ? []
      : [decision.yes ? ' · agreed by ' : ' · declined by ', { person: decision.by }]),
  ]
  const says = [ending.says, quote].filter((part) => part !== '').join(' ')
  return message([says, took].filter((part) => part !== '').join(' · '), [
    paragraph({ bold: ending.says }, quote === '' ? '' : ` ${quote}`, ...tail),
    ...becauseOf(request),
    ...beforeOf(request),
    ...offered(ending.offers ?? []),
  ])
}

/** How long the work took, where that is worth a word. */
function lengthOf({ status, startedAt }: Request, endedAt: number): string {
  const took = startedAt === undefined ? 0 : endedAt - startedAt
  return status === 'succeeded' && took >= 1_000 ? lasting(took) : ''
}

/** The question in the thread. Its buttons name the ask they answer, and are gone once it is answered. */
export function askOf(request: Request): Message {
  const { row: asked, values } = operationIn(request.line)
  const { ask } = request
  const name = request.endpoint?.name ?? ''
  const question = `${phrase(request.line, name, 'ask')}?`
  if (request.status !== 'awaiting' || ask === undefined) return answered(request, question, asked.words, name)
  const who =
    request.requirement === 'approval'
      ? 'An approver other than the requester decides.'
      : 'The requester or another operator decides.'
  const value = `${request.id}.${ask.n}`
  const why = reasonOf(request)
  const yes = `${asked.words.ask} ${name}`
  const impact = asked.impact(values)
  const press = button(yes, 'answer:yes', value, impact === 'reversible' ? 'primary' : 'danger')
  const sure = impact === 'destructive' ? confirmed(press, question, why, [yes, asked.words.leave]) : press
  return message(`${question} ${why} ${who}`, [
    paragraph({ bold: question }, ` ${why} ${who}`),
    buttons(sure, button(asked.words.leave, 'answer:no', value)),
  ])
}

function answered({ decision, ending }: Request, question: string, words: Words, name: string): Message {
  if (decision === undefined) {
    const why = ending?.says ?? 'This question has been replaced.'
    return message(`${question} ${why}`, [paragraph({ bold: question }, ` ${why}`)])
  }
  const answer = decision.yes ? `${words.ask} ${name}` : words.leave
  return message(`${question} ${answer}.`, [paragraph({ bold: question }, ' ', { person: decision.by }, `: ${answer}`)])
}
