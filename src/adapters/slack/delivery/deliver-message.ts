import { type ClaimedRequest, LeaseLost } from '../../../core/ports/services.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import type { RequestMessage } from '../messages/draw.ts'
import type { Failure } from '../web/calls.ts'
import { messageDigest, type Post, type SentMessages } from './sent-messages.ts'
import type { Done, Wire } from './wire.ts'

/** A message that found no place within a day is given up. ms. */
const giveUpAfter = dayMs
/** Progress is edited in no more often than this, so that a channel keeps its messages for what matters. ms. */
const minEditInterval = 3_000
/** How often a card that people delete is posted again. */
const maxCardReposts = 3

/** Posts or edits one message. Null: nothing left to do. A time, ms: try again then. `nowhere`: no channel takes it. */
export async function deliverMessage(
  wire: Wire,
  ledger: SentMessages,
  wanted: RequestMessage,
  places: readonly string[],
  held: ClaimedRequest,
): Promise<number | null | 'nowhere'> {
  const now = wire.clock.now()
  const post = ledger.of(wanted.key)
  if (isSettled(wanted, post)) return null
  const card = ledger.of('card')
  if (wanted.where.startsWith('thread') && card?.state !== 'posted') {
    // An unsent card will show the result itself. Editing it into one that may have been sent would go unnoticed.
    if (wanted.key === 'end' && (card === undefined || card.state === 'waiting'))
      await ledger.put('end', { state: 'given up', channel: card?.channel ?? '', since: now, tries: 0 })
    return null
  }
  const notBefore =
    post === undefined
      ? (wanted.notBefore ?? now)
      : Math.max(post.notBefore ?? now, wanted.urgent ? now : (post.calmUntil ?? now))
  if (notBefore > now) return notBefore

  const channel = post?.channel ?? channelFor(wire, wanted, card, places[ledger.detour])
  const trying: Post = { state: 'waiting', since: now, ...post, channel, tries: (post?.tries ?? 0) + 1 }
  const ts = post?.state === 'posted' ? post.ts : undefined
  // Asked and written down in one go; what has to wait after all is written back as it was.
  const [wait] = await Promise.all([
    wanted.where === 'private' ? 0 : wire.pace(channel, wanted.urgent),
    ts === undefined ? ledger.put(wanted.key, { ...trying, state: 'sending' }) : undefined,
  ])
  if (wait > 0) {
    if (ts === undefined) await ledger.put(wanted.key, post ?? { ...trying, tries: 0 })
    return now + wait
  }
  // Posts were written down, which fails without the lease; an edit would put old words over newer ones.
  if (ts !== undefined && held.until() <= wire.clock.monotonic())
    throw new LeaseLost('Somebody else may be showing this by now.')
  const sent = await (ts === undefined
    ? wire.delivery.send({
        id: `${held.request.id}/${wanted.key}`,
        channel,
        wanted,
        thread: card?.ts,
        unconfirmedSince: post?.state === 'sending' ? post.since : undefined,
        repeated: post?.repeated,
      })
    : wire.delivery.edit({ channel, ts }, wanted.message))
  if (sent.kind !== 'done') return failed(wire, ledger, wanted, trying, sent, places, held.request.id)
  await done(ledger, wanted, trying, sent, now)
  // What was found is from an earlier try, and may be out of date.
  return sent.found === true ? now : null
}

function isSettled(wanted: RequestMessage, post: Post | undefined): boolean {
  if (post === undefined) return !wanted.fresh
  if (post.state === 'given up' || post.digest === messageDigest(wanted.message)) return true
  // Slack cannot edit what only one person sees.
  return post.state === 'posted' && wanted.where === 'private'
}

function channelFor(
  wire: Wire,
  { where, to }: RequestMessage,
  card: Post | undefined,
  place: string | undefined,
): string {
  if (where === 'private') return to?.channel ?? ''
  if (where === 'operations') return wire.operationsChannel() ?? ''
  return (where === 'channel' ? place : card?.channel) ?? ''
}

async function done(
  ledger: SentMessages,
  wanted: RequestMessage,
  post: Post,
  { channel, ts, found }: Done,
  now: number,
): Promise<void> {
  const { notBefore: _, digest: __, ...kept } = post
  await ledger.put(wanted.key, {
    ...kept,
    channel,
    ...(ts !== undefined && { ts }),
    ...(found !== true && { digest: messageDigest(wanted.message) }),
    state: 'posted',
    tries: 0,
    ...(!wanted.urgent && { calmUntil: now + minEditInterval }),
  })
}

async function failed(
  wire: Wire,
  ledger: SentMessages,
  wanted: RequestMessage,
  post: Post,
  failure: Failure,
  places: readonly string[],
  request: string,
): Promise<number | null | 'nowhere'> {
  const now = wire.clock.now()
  const method =
    post.state === 'posted' ? 'chat.update' : wanted.where === 'private' ? 'chat.postEphemeral' : 'chat.postMessage'
  const error = 'why' in failure ? failure.why : failure.kind
  const fields = { request, message: wanted.key, channel: post.channel, method, error }
  wire.warn(`${method} ${error}`, fields, 'Slack did not do what was asked of it')
  // A reply that finds no thread tells that the card is gone.
  const lost = failure.kind === 'gone' && (wanted.key === 'card' || post.state !== 'posted')
  if (lost && ledger.restarts < maxCardReposts) {
    await ledger.startOver()
    return now
  }
  if ((lost || failure.kind === 'closed') && wanted.key === 'card' && ledger.detour + 1 < places.length) {
    await ledger.turn()
    return now
  }
  const unfit = failure.kind === 'unfit'
  if (unfit || failure.kind === 'gone' || failure.kind === 'closed' || now - post.since > giveUpAfter) {
    wire.log.warn(
      { message: wanted.key, channel: post.channel, failure: failure.kind },
      'Slack does not take a message',
    )
    // Only this text was rejected; a later version may fit.
    const next: Post = unfit ? { ...post, digest: messageDigest(wanted.message) } : { ...post, state: 'given up' }
    await ledger.put(wanted.key, next)
    return failure.kind === 'gone' ? null : 'nowhere'
  }
  const notBefore =
    now + (failure.kind === 'wait' ? failure.ms : Math.min(60_000, 1_000 * 2 ** Math.min(post.tries, 6)))
  // A post that may have arrived is searched for until it is found or one is answered; a failed search tells nothing.
  const state = failure.kind === 'unknown' && post.state === 'waiting' ? 'sending' : post.state
  const repeated = failure.kind === 'unknown' && failure.repeated
  await ledger.put(wanted.key, { ...post, state, notBefore, ...(repeated && { repeated }) })
  return notBefore
}
