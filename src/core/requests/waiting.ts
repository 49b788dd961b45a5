import type { SentenceId } from '../../words/english.ts'
import type { Commands } from '../commands/commands.ts'
import type { Operation, Row } from '../commands/define.ts'
import { longestLine, writeWord } from '../commands/parse.ts'
import { phrase } from '../commands/phrases.ts'
import type { Offer } from '../model/answer.ts'
import { type FieldValues, isAutomatic, type Request } from '../model/request.ts'
import type { Actor } from '../model/roles.ts'
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

/** An answer names the only request that waits for it, where it names none. */
export async function withOnlyWaiting(
  gateway: ProjectGateway | undefined,
  actor: Actor,
  row: Row,
  values: FieldValues,
): Promise<FieldValues> {
  if (!isAnswer(row) || values['request'] !== undefined) return values
  const waiting = await waitingFor(gateway, actor)
  const approvals = waiting.filter(({ requirement }) => requirement === 'approval')
  const [only, ...others] = approvals.length > 0 ? approvals : waiting
  return only === undefined || others.length > 0 ? values : { ...values, request: only.id }
}

/** Buttons can mention nobody, so they tell by name who asked, and when. */
export async function answerOffers(
  { commands, clock }: Pick<Services, 'commands' | 'clock'>,
  nameOf: People['nameOf'],
  requests: readonly Request[],
  verb: string,
  because?: string,
): Promise<readonly Offer[]> {
  return Promise.all(
    requests.slice(0, 5).map(async (one) => {
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
  const words = typed.toLowerCase().split(/[\s?!.,]+/)
  const isMeant = async ({ actor: { user } }: Request) => {
    const name = (await within(patience, nameOf(user), null))?.toLowerCase()
    return words.some((word) => word === `@${user.toLowerCase()}` || (name && word.replace(/^@/, '') === name))
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
