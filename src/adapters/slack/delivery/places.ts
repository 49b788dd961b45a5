import type { Request } from '../../../core/model/request.ts'
import { say } from '../../../core/model/words.ts'
import { type PlannedMessage, smallPart } from '../../../lifecycle/messages/draft.ts'
import { isDirect } from '../kit/text.ts'
import { ofProject, type RequestMessage } from '../messages/draw.ts'
import type { Wire } from './wire.ts'

/**
 * Lists where the card may go, best first. A question needs an audience, so it never falls back to a private place. A
 * notice and the result of a question may go anywhere; an answer goes to no other channel. The policy file has no direct
 * messages.
 */
export function placesFor(request: Request, operationsChannel: string | undefined): readonly string[] {
  const { place, ask, actor, requirement, status, kind } = request
  const operations = operationsChannel === undefined ? [] : [operationsChannel]
  const home = ask !== undefined && isDirect(place.channel) ? operations : [place.channel]
  const isAsked = status === 'awaiting' && requirement !== 'notice'
  const others = kind === 'query' ? [actor.user] : [actor.user, ...operations]
  return isAsked ? home : [...new Set([...home, ...others])].filter((one) => one !== '')
}

/** Says on a message that goes to the requester why it isn't in the channel of the request. */
export function withDetour({ place, actor }: Request, planned: PlannedMessage, to: string | undefined): PlannedMessage {
  if (planned.where !== 'channel' || to !== actor.user || isDirect(place.channel)) return planned
  const { says, parts } = planned.draft
  const channel = { any: [{ kind: 'channel', id: place.channel } as const] }
  return { ...planned, draft: { says, parts: [...parts, smallPart(say('card.notThere', { channel }))] } }
}

/** Messages in the card's thread need no project name, because the card has it. */
export function withProject(
  wire: Wire,
  { project }: Request,
  wanted: RequestMessage,
  place: string | undefined,
): RequestMessage {
  const { where, to } = wanted
  const channel = where === 'private' ? to?.channel : where === 'operations' ? wire.operationsChannel() : place
  const isNamed = where !== 'thread' && wire.isShared(channel ?? '')
  return { ...wanted, message: ofProject(project, wanted.message, wanted.language, isNamed) }
}
