import { deedOf } from '../../core/commands/phrases.ts'
import { isEnded, type Press, type Request, underWay } from '../../core/model/request.ts'
import { sentences } from '../../core/model/sentences.ts'
import type { Held, House } from '../../core/ports/services.ts'
import { claimOther, holding } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'
import { findOpen } from '../../core/requests/find-request.ts'
import { isOver, type Reply, takeAnswer } from './review.ts'

/** `approve` and `decline`: the same as the buttons, with the same checks. */
export async function approve(house: House, held: Held): Promise<void> {
  return withOther(house, held, (other) => answered(house, held, other, true))
}

export async function decline(house: House, held: Held): Promise<void> {
  return withOther(house, held, (other) => answered(house, held, other, false))
}

/** An admin lets a request pass that waits for approvals. Whoever asks for this has been looked up as an admin just now. */
export async function breakGlass(house: House, held: Held): Promise<void> {
  return withOther(house, held, async (other) => {
    const { request } = other
    if (isEnded(request.status)) return { says: sentences.over(request.ending?.says ?? '') }
    if (request.status !== 'awaiting' || request.requirement !== 'approval')
      return { says: 'Only a request that waits for approvals can be let pass. Nothing was done.' }
    const { actor: by, receivedAt, place } = held.request
    const untimely = asksNothing(request, receivedAt) ?? isOver(request, receivedAt)
    if (untimely !== null) return untimely
    const at = house.clock.now()
    const because = String(held.command.values['because'])
    // When it was asked for: an admin's word is no licence to begin much later.
    const decision = { by, at: receivedAt, place, yes: true, because, glass: true } as const
    await other.move({ ...request, decision, ...underWay(request.plan ?? [], at) }, [
      { at, what: 'broke the glass', by, detail: because },
    ])
    return null
  })
}

async function answered(house: House, held: Held, other: Held, yes: boolean): Promise<Reply | null> {
  const { id, actor, place, receivedAt } = held.request
  const early = asksNothing(other.request, receivedAt)
  if (early !== null) return early
  const because = held.command.values['because']
  const press: Press = {
    id,
    request: other.request.id,
    ask: other.request.ask?.n ?? 0,
    yes,
    actor,
    ...place,
    at: receivedAt,
    ...(typeof because === 'string' && { because }),
  }
  return takeAnswer(house, other, press, 0)
}

/** Whoever wrote before a question was asked has answered another one, however late the line is taken up. */
function asksNothing({ status, ask }: Request, at: number): Reply | null {
  return status === 'awaiting' && ask !== undefined && at < ask.at ? { says: sentences.oldAsk } : null
}

/** Does something with the request that the line names, and tells whoever asked for it what came of that. */
async function withOther(house: House, held: Held, act: (other: Held) => Promise<Reply | null>): Promise<void> {
  const { row, values } = held.command
  const { request: word, because } = values
  const found = await findOpen(house, String(word), row.name, typeof because === 'string' ? because : undefined)
  if (found.kind === 'none') return end(house, held, 'refused', { says: found.says, offers: found.offers })
  const { request } = found
  const other = await claimOther(house.store, request.id)
  if (other === null) return void (await held.move({ ...held.request, nextAt: house.clock.now() + 300 }, []))
  const reply = await holding(house, other, () => act(other))
  const done = `${row.words.done}: ${deedOf(other.command, request.endpoint?.name ?? '', request.change)}.`
  // It stands in the history of that endpoint from here on.
  const more = request.endpoint === undefined ? {} : { change: { endpoint: request.endpoint } }
  if (reply === null) return end(house, held, 'succeeded', { says: done }, more)
  const { who, told = who && ([{ kind: 'user', id: who.user }, '.'] as const), says } = reply
  return end(house, held, 'refused', { says, ...(told && { told }) }, more)
}
