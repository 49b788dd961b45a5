import { isSame } from '../domain/actor.ts'
import { sentences } from '../domain/errors.ts'
import type { Note, Press, Request } from '../domain/request.ts'
import { isEnded } from '../domain/request.ts'
import { end } from './end.ts'
import { mayAct } from './identify.ts'
import type { Held, House } from './ports.ts'

/**
 * Takes the answers to a waiting request in the order they came. The first by somebody who may decides; everybody
 * else learns privately how it stands. Returns with no press left.
 */
export async function review(house: House, held: Held): Promise<void> {
  for (const press of held.presses) {
    const { request } = held
    const refusal = await refusalOf(house, request, press)
    if (refusal !== null) await reply(house, held, press, refusal)
    else await decide(house, held, press)
  }
}

type Reply = Pick<Note, 'says' | 'who'>

/** Why this press decides nothing, or null when it does. */
async function refusalOf(house: House, request: Request, press: Press): Promise<Reply | null> {
  if (request.status !== 'awaiting') return standingOf(request)
  if (press.ask !== request.ask?.n) return { says: sentences.oldAsk }
  if (press.at >= request.ask.expiresAt) return { says: sentences.over(sentences.unanswered) }
  const mine = isSame(press.actor, request.actor)
  if (request.requirement === 'approval' && mine && press.yes) return { says: 'Somebody else has to approve this.' }
  const needed = request.requirement === 'approval' && !mine ? 'approver' : 'operator'
  const standing = await mayAct(house, press.actor, request.place, needed)
  if (standing.kind === 'may') return null
  return { says: standing.unsure === true ? standing.says : sentences.notYourAnswer(needed, house.project) }
}

/** How things stand, for whoever pressed too late. */
function standingOf({ status, ending, decision }: Request): Reply {
  if (isEnded(status))
    return { says: sentences.over([ending?.says, ending?.quote && `“${ending.quote}”`].filter(Boolean).join(' ')) }
  if (decision === undefined) return { says: sentences.oldAsk }
  return { says: sentences.decided(decision.yes), who: decision.by }
}

async function decide(house: House, held: Held, press: Press): Promise<void> {
  const { request } = held
  const at = house.clock.now()
  // People decide when they press, however late that is read: an old yes is no licence to begin.
  const decision = { by: press.actor, at: press.at, yes: press.yes }
  if (!press.yes) {
    const says = `${request.endpoint?.name ?? 'It'} was left as it is.`
    return end(house, held, 'declined', { says }, { change: { decision }, event: { by: press.actor }, answered: 1 })
  }
  const next: Request = {
    ...request,
    decision,
    status: 'running',
    startedAt: at,
    progress: (request.plan ?? []).map(() => ({ sends: [], looks: [] })),
    nextAt: at,
  }
  await held.move(next, [{ at, what: 'agreed', by: press.actor }], { answered: 1 })
}

/** More than anybody presses by accident; a card is not a place to fill storage from. */
const mostNotes = 100

async function reply(house: House, held: Held, press: Press, { says, who }: Reply): Promise<void> {
  const note: Note = { id: press.id, to: press.actor, channel: press.channel, says, ...(who && { who }) }
  const notes = [...held.request.notes, note].slice(-mostNotes)
  await held.move(
    { ...held.request, notes },
    [{ at: house.clock.now(), what: 'answered', by: press.actor, detail: says }],
    { answered: 1 },
  )
}
