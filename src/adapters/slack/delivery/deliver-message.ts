import type { Wanted } from '../messages/of-request.ts'
import type { Failure } from '../web/failures.ts'
import { digestOf, type Ledger, type Post } from './sent-messages.ts'
import type { Done, Wire } from './wire.ts'

/** A message that found no place within a day is given up. ms. */
const patience = 24 * 3_600_000
/** Progress is edited in no more often than this, so that a channel keeps its messages for what matters. ms. */
const calm = 3_000
/** How often a card that people delete is posted again. */
const mostCards = 3

/** Brings one message to what it should say. Null: nothing left to do. A time in ms: again then. */
export async function bring(
  wire: Wire,
  ledger: Ledger,
  wanted: Wanted,
  places: readonly string[],
  request: string,
): Promise<number | null | 'nowhere'> {
  const now = wire.clock.now()
  const post = ledger.of(wanted.key)
  if (isSettled(wanted, post)) return null
  const card = ledger.of('card')
  if (wanted.where.startsWith('thread') && card?.state !== 'posted') {
    // A card that has not left yet will say the end itself; one that may have left could only be edited, unnoticed.
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
  const editing = post?.state === 'posted' && post.ts !== undefined
  // Asked and written down in one go; what has to wait after all is written back as it was.
  const [wait] = await Promise.all([
    wanted.where === 'private' ? 0 : wire.pace(channel, wanted.urgent),
    editing ? undefined : ledger.put(wanted.key, { ...trying, state: 'sending' }),
  ])
  if (wait > 0) {
    if (!editing) await ledger.put(wanted.key, post ?? { ...trying, tries: 0 })
    return now + wait
  }
  if (post?.state === 'posted' && post.ts !== undefined) {
    const edited = await wire.delivery.edit({ channel, ts: post.ts }, wanted.message)
    return edited.kind === 'done'
      ? done(ledger, wanted, trying, edited, now)
      : failed(wire, ledger, wanted, trying, edited, places, request)
  }
  const id = `${request}/${wanted.key}`
  const unconfirmedSince = post?.state === 'sending' ? post.since : undefined
  const sent = await wire.delivery.send({
    id,
    channel,
    wanted,
    ...(card?.ts !== undefined && { thread: card.ts }),
    ...(unconfirmedSince !== undefined && { unconfirmedSince }),
    ...(post?.repeated && { repeated: true }),
  })
  if (sent.kind !== 'done') return failed(wire, ledger, wanted, trying, sent, places, request)
  await done(ledger, wanted, trying, sent, now)
  // What was found is there since an earlier try, and may say what was true then.
  return sent.found === true ? now : null
}

function isSettled(wanted: Wanted, post: Post | undefined): boolean {
  if (post === undefined) return !wanted.fresh
  if (post.state === 'given up' || post.digest === digestOf(wanted.message)) return true
  // Slack cannot edit what only one person sees.
  return post.state === 'posted' && wanted.where === 'private'
}

function channelFor(wire: Wire, { where, to }: Wanted, card: Post | undefined, place: string | undefined): string {
  if (where === 'private') return to?.channel ?? ''
  if (where === 'operations') return wire.operationsChannel() ?? ''
  return (where === 'channel' ? place : card?.channel) ?? ''
}

async function done(
  ledger: Ledger,
  wanted: Wanted,
  post: Post,
  { channel, ts, found }: Done,
  now: number,
): Promise<null> {
  const { notBefore: _, digest: __, ...kept } = post
  await ledger.put(wanted.key, {
    ...kept,
    channel,
    ...(ts !== undefined && { ts }),
    ...(found !== true && { digest: digestOf(wanted.message) }),
    state: 'posted',
    tries: 0,
    ...(!wanted.urgent && { calmUntil: now + calm }),
  })
  return null
}

async function failed(
  wire: Wire,
  ledger: Ledger,
  wanted: Wanted,
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
  if (lost && ledger.restarts < mostCards) {
    await ledger.startOver()
    return now
  }
  if ((lost || failure.kind === 'closed') && wanted.key === 'card' && ledger.detour + 1 < places.length) {
    await ledger.turn()
    return now
  }
  const unfit = failure.kind === 'unfit'
  if (unfit || failure.kind === 'gone' || failure.kind === 'closed' || now - post.since > patience) {
    wire.log.warn(
      { message: wanted.key, channel: post.channel, failure: failure.kind },
      'Slack does not take a message',
    )
    // What does not fit is these words only: the next ones may.
    const next: Post = unfit ? { ...post, digest: digestOf(wanted.message) } : { ...post, state: 'given up' }
    await ledger.put(wanted.key, next)
    return failure.kind === 'gone' ? null : 'nowhere'
  }
  const notBefore =
    now + (failure.kind === 'wait' ? failure.ms : Math.min(60_000, 1_000 * 2 ** Math.min(post.tries, 6)))
  // Once it may have left, it is looked for until it is found or a post is answered; a failed look tells nothing.
  const state = failure.kind === 'unknown' && post.state === 'waiting' ? 'sending' : post.state
  const repeated = failure.kind === 'unknown' && failure.repeated
  await ledger.put(wanted.key, { ...post, state, notBefore, ...(repeated && { repeated }) })
  return notBefore
}
