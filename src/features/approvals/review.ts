import { isSame, type Place } from '../../core/model/actor.ts'
import type { Vote } from '../../core/model/question.ts'
import { isEnded, type Note, type Press, type Request, underWay } from '../../core/model/request.ts'
import { sentences } from '../../core/model/sentences.ts'
import { confirmerOf, type Mandate } from '../../core/policy/who-answers.ts'
import type { Held, House, Moved, MoveOptions } from '../../core/ports/services.ts'
import { isStranger, mayAct } from '../../core/requests/authorize.ts'
import { endWith } from '../../core/requests/end.ts'
import { instant, lasting } from '../../core/time/format.ts'
import { mandatesUnder } from './mandates.ts'
import { lookAt } from './question.ts'

/**
 * Takes the answers to a waiting request in the order they came, until it is decided; everybody whose answer decides
 * nothing learns privately how it stands. Returns with no press left.
 */
export async function review(house: House, held: Held): Promise<void> {
  for (const one of held.presses) {
    const press = { ...one, actor: await house.people.known(one.actor) }
    const reply = await takeAnswer(house, held, press, 1)
    if (reply !== null) await note(house, held, press, reply)
  }
}

export type Reply = Pick<Note, 'says' | 'who' | 'told'>
type Answering = Pick<MoveOptions, 'answered' | 'records'>

/**
 * Takes one answer. `waiting`: 1 when it is the first of the presses that wait with the request. What there is to say
 * to whoever gave it, when it changes nothing; null when the request has moved by it.
 */
export async function takeAnswer(house: House, held: Held, press: Press, waiting: 0 | 1): Promise<Reply | null> {
  const { request } = held
  if (request.status !== 'awaiting') return standingOf(request)
  if (press.ask !== request.ask?.n) return { says: sentences.oldAsk }
  const over = isOver(request, press.at)
  if (over !== null) return over
  const isGrave = request.requirement === 'approval' || confirmerOf(request) === 'admin'
  const sure = isGrave ? 'fresh' : 'recent'
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const records = await house.store.records()
    const mandates = await mandatesUnder(house, records, press.actor, placeOf(press), sure)
    if (mandates === null) return { says: sentences.cannotCheck }
    const mandate = mandates(request)
    if (mandate.kind === 'voted' && press.yes)
      return mandate.by === undefined ? { says: sentences.voted } : { says: sentences.votedInPlace, who: mandate.by }
    if (mandate.kind === 'own' && press.yes) return { says: sentences.ownApproval }
    if (mandate.kind === 'not') return notYours(house.project, request)
    // Only what is said in somebody's place depends on a record.
    const options = { answered: waiting, ...(mandate.kind === 'may' && mandate.for !== undefined && { records }) }
    const moved = await (press.yes ? agree : disagree)(house, held, press, mandate, options)
    if (moved.kind === 'moved') return null
  }
  return { says: sentences.cannotCheck }
}

/** How often a mandate is looked up that somebody changes at the very same time. */
const mostLooks = 5

/** What there is to say to an answer given at `at` (ms) when its ask was over by then, whether or not it was ended. */
export function isOver({ ask }: Request, at: number): Reply | null {
  if (ask === undefined || at < ask.expiresAt) return null
  return { says: sentences.over(sentences.unanswered(lasting(ask.expiresAt - ask.at))) }
}

/** Who may, to somebody who may not. */
export function notYours(project: string, request: Request): Reply {
  const { requirement, ask } = request
  if (requirement !== 'approval') return { says: sentences.notYourAnswer(confirmerOf(request), project) }
  const from = ask?.asking.from ?? null
  if (from === null) return { says: sentences.notYourAnswer('approver', project) }
  const told = from.flatMap((member, at) => (at === 0 ? [member] : [', ', member]))
  return { says: sentences.notYourApproval, told: ['Those who may: ', ...told, '.'] }
}

/** How things stand, for whoever answered too late. */
function standingOf({ status, ending, decision }: Request): Reply {
  if (isEnded(status))
    return { says: sentences.over([ending?.says, ending?.quote && `“${ending.quote}”`].filter(Boolean).join(' ')) }
  if (decision === undefined) return { says: sentences.oldAsk }
  return { says: sentences.decided(decision.yes), who: decision.by }
}

/** The last of as many as it takes decides. People decide when they press, however late that is read. */
async function agree(house: House, held: Held, press: Press, mandate: Mandate, options: Answering): Promise<Moved> {
  const { request } = held
  const at = house.clock.now()
  const { ask, requirement } = request
  const given = inPlace(mandate)
  const said = { by: press.actor, at: press.at, place: placeOf(press) }
  const vote: Vote = { ...said, ...given }
  const votes = requirement === 'approval' ? { votes: [...(request.votes ?? []), vote] } : {}
  const needed = ask?.asking.needed ?? 1
  const count = votes.votes?.length ?? needed
  if (count < needed && ask !== undefined) {
    const detail = `${count} of ${needed}`
    return held.move(
      { ...request, ...votes, nextAt: lookAt(ask) },
      [{ at, what: 'approved', by: press.actor, ...given, detail }],
      options,
    )
  }
  const decision = { ...said, yes: true }
  return held.move(
    { ...request, ...votes, decision, ...underWay(request.plan ?? [], at) },
    [
      {
        at,
        what: 'agreed',
        by: press.actor,
        ...given,
        ...(requirement === 'approval' && { detail: `${count} of ${needed}` }),
      },
    ],
    options,
  )
}

async function disagree(house: House, held: Held, press: Press, mandate: Mandate, options: Answering): Promise<Moved> {
  const { request } = held
  const { because } = press
  const { kind } = mandate
  const decision = {
    by: press.actor,
    at: press.at,
    place: placeOf(press),
    yes: false,
    ...(because !== undefined && { because }),
  }
  const name = request.endpoint?.name
  const says =
    skipped(held) ??
    (kind === 'own'
      ? `Given up by whoever asked for it; ${name === undefined ? 'everything' : 'it'} was left as it is.`
      : `${name ?? 'Everything'} was left as it is.`)
  const detail = because === undefined ? says : `${says} “${because}”`
  // Nobody declines their own request: they take it back.
  const moved = await endWith(
    house,
    held,
    kind === 'own' ? 'cancelled' : 'declined',
    { says },
    { change: { decision }, event: { by: press.actor, ...inPlace(mandate), detail }, ...options },
  )
  // What is skipped is laid down by whoever looks the rules through.
  if (moved.kind === 'moved' && request.via === 'schedule') house.soon()
  return moved
}

/** An answer is judged where it was given, wherever the question was asked. */
function placeOf({ channel, chosen }: Press): Place {
  return { channel, ...(chosen === true && { chosen }) }
}

/** Whose place it is given in, if not their own. */
function inPlace(mandate: Mandate): Pick<Vote, 'for'> {
  return mandate.kind === 'may' && mandate.for !== undefined ? { for: mandate.for } : {}
}

/** "my-llm was left as it is: the stop today at 20:00 is skipped." Of a notice: what has not happened. */
function skipped(held: Held): string | null {
  const { requirement, ask, endpoint } = held.request
  if (requirement !== 'notice' || ask?.due === undefined) return null
  return `${endpoint?.name ?? 'It'} was left as it is: the ${held.command.row.name} ${instant(ask.dueFirst ?? ask.due)} is skipped.`
}

/** More than anybody presses by accident; a card is not a place to fill storage from. */
const mostNotes = 100

/** Somebody without any role is told once for each request, and their presses are only counted. */
async function note(house: House, held: Held, press: Press, { says, who, told }: Reply): Promise<void> {
  const { actor: by, id, channel, yes } = press
  const { request } = held
  const stranger = isStranger(await mayAct(house, by, placeOf(press), 'viewer'))
  const added: Note = { id, to: by, channel, says, ...(who && { who }), ...(told && { told }) }
  const isTold = stranger && request.notes.some(({ to }) => isSame(to, by))
  const notes = isTold ? request.notes : [...request.notes, added].slice(-mostNotes)
  const detail = stranger ? `${yes ? 'approve' : 'decline'} ${request.line}` : says
  await held.move({ ...request, notes }, [{ at: house.clock.now(), what: 'refused answer', by, detail }], {
    answered: 1,
    stranger,
  })
}
