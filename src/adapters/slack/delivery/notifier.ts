import type { Request } from '../../../core/model/request.ts'
import { sentences } from '../../../core/model/sentences.ts'
import { sparingly } from '../../../core/ports/log-sparingly.ts'
import type { ClaimedRequest, Notifier, ShowResult } from '../../../core/ports/services.ts'
import { isDirect } from '../kit/text.ts'
import { messagesOf, ofProject, type RequestMessage } from '../messages/draw.ts'
import { deliverMessage } from './deliver-message.ts'
import { ledgerOf, type SentMessages } from './sent-messages.ts'
import type { Wire } from './wire.ts'

/**
 * Brings the messages of a request to what they should be, one after another, remembering each before and after it is
 * sent. It looks only at how things stand, so it may be called at any time, twice, or after a crash.
 */
export function createNotifier(given: Omit<Wire, 'warn'>): Notifier {
  const wire: Wire = { ...given, warn: sparingly(given.log) }
  return { show: (held) => show(wire, held), toldAt }
}

/** Slack names a message by when it was posted, in seconds. */
function toldAt(held: ClaimedRequest): number | null {
  const card = ledgerOf(held).of('card')
  return card?.state === 'posted' && card.ts !== undefined ? Number(card.ts) * 1_000 : null
}

async function show(wire: Wire, held: ClaimedRequest): Promise<ShowResult> {
  const { request } = held
  const ledger = ledgerOf(held)
  const places = placesFor(request, wire.operationsChannel())
  if (places.length === 0) return { again: null, unpostable: sentences.noOperationsChannel }
  let again: number | null = null
  const about = request.ending?.about === undefined ? null : await wire.linkTo(request.ending.about)
  for (const wanted of messagesOf(held, wire.clock.now(), about, wire.membersOf)) {
    const whole = withProject(wire, request, placed(wire, ledger, wanted), places[ledger.detour])
    const next = await deliverMessage(wire, ledger, whole, places, held)
    if (next === 'nowhere') {
      // The card's thread takes what the operations channel has just refused.
      if (wanted.where === 'operations' && wire.operationsChannel() !== undefined) again = wire.clock.now()
      if (wanted.key === 'card' && request.status === 'awaiting') return { again: null, unpostable: sentences.notHere }
      wire.log.error({ request: request.id, message: wanted.key }, 'a message could not be brought anywhere')
    } else if (next !== null) {
      // Something has started over: what comes after it has to be looked at afresh.
      if (next <= wire.clock.now()) return { again: next }
      again = again === null ? next : Math.min(again, next)
    }
  }
  return { again }
}

/** What has no operations channel to go to, or is refused there, goes to the thread of the card and its channel. */
function placed(wire: Wire, ledger: SentMessages, wanted: RequestMessage): RequestMessage {
  if (wanted.where !== 'operations') return wanted
  const isRefused = ledger.of(wanted.key)?.state === 'given up'
  if (wire.operationsChannel() !== undefined && !isRefused) return wanted
  return { ...wanted, key: `${wanted.key}.thread`, where: 'thread and channel' }
}

/** Whatever stands in its card's thread is named by the card. */
function withProject(
  wire: Wire,
  { project }: Request,
  wanted: RequestMessage,
  place: string | undefined,
): RequestMessage {
  const { where, to } = wanted
  const channel = where === 'private' ? to?.channel : where === 'operations' ? wire.operationsChannel() : place
  const isNamed = where !== 'thread' && wire.isShared(channel ?? '')
  return { ...wanted, message: ofProject(project, wanted.message, isNamed) }
}

/**
 * Where the card may go, best first. A question needs people around it and never falls back to a private place; once
 * it is answered, what becomes of it goes wherever it is taken.
 */
function placesFor({ place, ask, actor, status }: Request, operationsChannel: string | undefined): readonly string[] {
  const operations = operationsChannel === undefined ? [] : [operationsChannel]
  const home = ask !== undefined && isDirect(place.channel) ? operations : [place.channel]
  return status === 'awaiting' ? home : [...home, actor.user, ...operations]
}
