import { type Actor, isSame } from '../domain/actor.ts'
import { lasting } from '../domain/duration.ts'
import type { Seen } from '../domain/progress.ts'
import { isEnded, type Request } from '../domain/request.ts'
import type { Words } from '../operations/define.ts'
import { phrase } from '../operations/phrase.ts'
import { operationIn } from '../operations/stored.ts'
import { button, buttons, type Message, message, type Piece, paragraph, row, small } from './blocks.ts'
import { offered } from './offers.ts'

/** The one message of a request, as it stands now. */
export function cardOf(request: Request, now: number): Message {
  if (isEnded(request.status)) return endOf(request)
  const name = request.endpoint?.name ?? ''
  const because = becauseOf(request)
  const head =
    request.status === 'awaiting' ? `${phrase(request.line, name, 'ask')}?` : `${phrase(request.line, name, 'doing')}…`
  const detail = request.status === 'awaiting' ? (request.ask?.why ?? '') : underWay(request, now)
  return message(`${head} ${detail}`, [
    paragraph({ bold: head }, detail === '' ? '' : ` ${detail}`),
    ...(because === undefined ? [] : [row([`“${because}”`])]),
    ...beforeOf(request),
    small({ person: request.actor }, request.line, ...agreed(request)),
  ])
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

/** The end: our sentence, the platform's own, how long it took, who asked. */
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
  return message(`${question} ${ask.why} ${who}`, [
    paragraph({ bold: question }, ` ${ask.why} ${who}`),
    buttons(
      button(
        `${asked.words.ask} ${name}`,
        'answer:yes',
        value,
        asked.impact(values) === 'reversible' ? 'primary' : 'danger',
      ),
      button(asked.words.leave, 'answer:no', value),
    ),
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

/** What the settings were, as far as anybody here has seen them. */
function beforeOf({ plan, before }: Request): readonly ReturnType<typeof row>[] {
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

function becauseOf(request: Request): string | undefined {
  const { because } = operationIn(request.line).values
  return because === undefined ? undefined : String(because)
}
