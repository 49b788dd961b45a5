import type { SentenceId } from '../../words/english.ts'
import type { Commands } from '../commands/commands.ts'
import type { Operation, Row } from '../commands/define.ts'
import { longestLine, writeWord } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import type { Offer } from '../model/answer.ts'
import { type FieldValues, historyLife, isAutomatic, type Request, wasCarriedOut } from '../model/request.ts'
import { type Actor, isSame } from '../model/roles.ts'
import { reasonIn, say } from '../model/words.ts'
import type { People, Services } from '../ports/services.ts'
import { type ProjectGateway, within } from './gateway.ts'

/** Slack waits 3 s for a form. ms. */
export const patience = 1_000

/** Whether a command answers a request that waits. */
export function isAnswer(row: Row | undefined): row is Operation {
  return row?.kind === 'operation' && (row.deed === 'approve' || row.deed === 'decline')
}

/** The requests that wait for this person's answer; none where that takes too long. A notice needs no answer. */
export async function waitingFor(gateway: ProjectGateway | undefined, actor: Actor): Promise<readonly Request[]> {
  if (gateway === undefined) return []
  const { home } = gateway
  const found = Promise.all([home.open(), home.answersOf(actor)])
    .then(([open, may]) => open.filter((one) => one.status === 'awaiting' && one.requirement !== 'notice' && may(one)))
    .catch(() => [])
  return within(patience, found, [])
}

/** What an answer, a cancel or an undo may be about that names nothing, each as a button; null for any other line. */
export async function offersInstead(
  context: Pick<Services, 'commands' | 'clock'>,
  gateway: ProjectGateway | undefined,
  actor: Actor,
  { row, values: { because, ...named } }: { readonly row: Row; readonly values: FieldValues },
) {
  const deed = row.kind === 'operation' && row.deed !== 'break glass' ? row.deed : undefined
  if (gateway === undefined || deed === undefined || Object.keys(named).length > 0) return null
  const own = deed === 'undo' || deed === 'cancel' ? ownOf(context, gateway, actor, deed) : undefined
  const found = await (own === undefined ? waitingFor(gateway, actor) : within(patience, own, []))
  const count = found.length
  const reason = typeof because === 'string' ? because : undefined
  return {
    says: own === undefined ? say('menu.waiting', { count }) : say('request.own', { deed, count }),
    offers: await answerOffers(context, gateway.nameOf, found, row.name, reason),
  }
}

/** What somebody has asked for that is open, or their last changes that can be undone, one of each endpoint. */
async function ownOf(
  { commands, clock }: Pick<Services, 'commands' | 'clock'>,
  { home, store }: ProjectGateway,
  actor: Actor,
  deed: 'undo' | 'cancel',
): Promise<readonly Request[]> {
  const isOwn = (one: Request) => isSame(one.actor, actor) && !isAutomatic(one)
  if (deed === 'cancel') return (await home.open()).filter(isOwn)
  const { requests } = await store.past(clock.now() - historyLife, 0, 100)
  const isUndoable = (one: Request) => {
    const row = commands.stored(one.line)?.row
    const isDone = wasCarriedOut(one) || (one.status === 'succeeded' && one.change !== undefined)
    return isDone && row?.kind === 'operation' && row.inverse !== undefined
  }
  const done = requests.filter((one) => isOwn(one) && isUndoable(one))
  return done
    .filter((one, at) => done.findIndex(({ endpoint }) => endpoint?.id === one.endpoint?.id) === at)
    .slice(0, 3)
}

/** Buttons can mention nobody, so they tell by name who asked, and when. */
export async function answerOffers(
  { commands, clock }: Pick<Services, 'commands' | 'clock'>,
  nameOf: People['nameOf'],
  requests: readonly Request[],
  verb: string,
  because?: string,
): Promise<readonly Offer[]> {
  const verbs = verb === 'approve' && requests.length === 1 ? [verb, 'decline'] : [verb]
  const all = verbs.flatMap((each) => requests.slice(0, 5).map((one) => [each, one] as const))
  return Promise.all(
    all.map(async ([verb, one]) => {
      const { id, line: asked, endpoint, receivedAt, actor, change } = one
      const by = isAutomatic(one) ? null : await within(patience, nameOf(actor.user), null)
      const deed = phrase(commands.operation(asked), endpoint?.name ?? '', 'ask', change)
      const about = say('request.asked.since', { deed, by: by ?? 'none', ago: { lasting: clock.now() - receivedAt } })
      const label = say('request.answer', { verb: say(`${verb}.ask` as SentenceId), about })
      const line = `${verb} ${writeWord(id)}`
      const whole = because === undefined ? line : `${line} because=${writeWord(because)}`
      // A reason as long as a line may be does not fit beside an id.
      return { label, about, line: whole.length > longestLine ? line : whole }
    }),
  )
}

/** Those of the requests whose asker is named by one of these words. */
export async function askedByOne(nameOf: People['nameOf'], requests: readonly Request[], typed: string) {
  const words = typed.toLowerCase().split(/[\s?!.,’']+/)
  const isMeant = async ({ actor: { user } }: Request) => {
    const names = (await within(patience, nameOf(user), null))?.toLowerCase().split(/[\s’']+/) ?? []
    // Korean particles are glued to names.
    const isNamed = (word: string) =>
      names.some((name) => word === name || (/^[가-힣]/.test(name) && word.startsWith(name)))
    return words.some((word) => word === `@${user.toLowerCase()}` || isNamed(word.replace(/^@/, '')))
  }
  const meant = await Promise.all(requests.map(isMeant))
  return requests.filter((_, at) => meant[at])
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

/** The likeliest of lines that only ask, for whoever typed: an answer costs nothing, so it is given and not offered. */
export function questionIn(
  { stored }: Commands,
  { via }: Pick<Request, 'via'>,
  offers: readonly Offer[] = [],
): string | undefined {
  const isQuestion = via === 'typed' && offers.every(({ line }) => stored(line)?.row.kind === 'query')
  return isQuestion ? offers[0]?.line : undefined
}
