import { isEnded } from '../../../core/model/request.ts'
import { type ClaimedRequest, LeaseLost } from '../../../core/ports/services.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import type { PlannedMessage } from '../../../lifecycle/messages/draft.ts'
import type { RequestMessage } from '../messages/draw.ts'
import { type Failure, failureCode } from '../web/failures.ts'
import type { Wire } from './post.ts'
import type { Done } from './send-private.ts'
import { mayTurn, messageDigest, type Post, type SentMessages } from './sent-messages.ts'

/** How long to keep trying to deliver a message, ms. */
const giveUpAfter = dayMs
/** The shortest time between two progress edits, ms. More frequent ones would use up the channel's rate limit. */
const minEditInterval = 3_000
/** A later time to send was stored before the clock was set back, ms. */
const longestWait = 10 * 60_000
/** How many times a deleted card is posted again. */
export const maxCardReposts = 3

/** One message to deliver. `places`: where the card may go, best first. */
interface Task {
  readonly wire: Wire
  readonly ledger: SentMessages
  readonly wanted: RequestMessage
  readonly places: readonly string[]
  readonly claim: ClaimedRequest
}

/** Posts or edits a message. Returns null when done, when to try again (ms), or `nowhere` if no channel takes it. */
export async function deliverMessage(task: Task): Promise<number | null | 'nowhere'> {
  const { wire, ledger, wanted } = task
  const now = wire.clock.now()
  const post = ledger.of(wanted.key)
  if (isSettled(wanted, post)) return null
  const card = ledger.of('card')
  if (wanted.where.startsWith('thread') && card?.state !== 'posted') {
    // An unsent card will show the result itself. One that may have been sent cannot, because edits notify nobody.
    if (wanted.key === 'end' && (card === undefined || card.state === 'waiting'))
      await ledger.put('end', { state: 'given up', channel: card?.channel ?? '', since: now, tries: 0 })
    return null
  }
  const notBefore =
    post === undefined
      ? (wanted.notBefore ?? now)
      : Math.max(post.notBefore ?? now, wanted.urgent ? now : (post.calmUntil ?? now))
  if (notBefore > now && notBefore - now <= longestWait) return notBefore
  if (post?.state === 'posted' && postedAt(post) < (wanted.anewAfter ?? 0)) {
    await ledger.renew(post)
    return now
  }
  return attempt(task, post, now)
}

/** When a card is due that was not posted yet, ms; until then it need not be drawn. 0 for any other message. */
export function firstDueAt({ key, where, fresh, notBefore = 0 }: PlannedMessage, ledger: SentMessages): number {
  return where === 'channel' && fresh && ledger.of(key) === undefined ? notBefore : 0
}

async function attempt(task: Task, post: Post | undefined, now: number): Promise<number | null | 'nowhere'> {
  const { wire, ledger, wanted, claim } = task
  const channel = post?.channel ?? channelFor(task)
  const trying: Post = { state: 'waiting', since: now, ...post, channel, tries: (post?.tries ?? 0) + 1 }
  const ts = post?.state === 'posted' ? post.ts : undefined
  // Both run at once to save a round trip. If the message has to wait, its earlier record is written back.
  const [wait] = await Promise.all([
    wanted.where === 'private' || wanted.where === 'workflow' ? 0 : wire.pace(channel, wanted.urgent),
    ts === undefined ? ledger.put(wanted.key, { ...trying, state: 'sending' }) : undefined,
  ])
  if (wait > 0) {
    if (ts === undefined) await ledger.put(wanted.key, post ?? { ...trying, tries: 0 })
    return now + wait
  }
  // A post is covered by `put`, which fails without the lease. An edit without the lease could overwrite newer text.
  if (ts !== undefined && claim.until() <= wire.clock.monotonic())
    throw new LeaseLost('Somebody else may be showing this by now.')
  const sent = await (ts === undefined
    ? wire.delivery.send({
        id: `${(wanted.key === 'card' && ledger.sharedAs) || claim.request.id}/${wanted.key}`,
        channel,
        wanted,
        thread: ledger.of('card')?.ts,
        unconfirmedSince: post?.state === 'sending' ? post.since : undefined,
        repeated: post?.repeated,
      })
    : wire.delivery.edit({ channel, ts }, wanted.message))
  if (sent.kind !== 'done') return failed(task, trying, sent)
  await done(task, trying, sent, now)
  // A message that was found comes from an earlier attempt and may be out of date.
  return sent.found === true ? now : null
}

function isSettled(wanted: RequestMessage, post: Post | undefined): boolean {
  if (post === undefined) return !wanted.fresh
  if (post.state === 'given up' || post.digest === messageDigest(wanted.message)) return true
  // Slack cannot edit a message that only one person sees, and a workflow step ends only once.
  return post.state === 'posted' && (wanted.where === 'private' || wanted.where === 'workflow')
}

/** Returns ms: Slack's id of a message is its time in seconds. */
export function postedAt({ ts }: Post): number {
  return Math.floor(Number(ts) * 1_000)
}

function channelFor({ wire, ledger, wanted: { where, to }, places }: Task): string {
  if (where === 'private') return to?.channel ?? ''
  if (where === 'workflow') return ''
  if (where === 'operations') return wire.operationsChannel() ?? ''
  return (where === 'channel' ? places[ledger.detour] : ledger.of('card')?.channel) ?? ''
}

async function done({ ledger, wanted, claim }: Task, post: Post, { channel, ts, found }: Done, now: number) {
  const { notBefore: _, digest: __, ...kept } = post
  const next: Post = {
    ...kept,
    channel,
    ...(ts !== undefined && { ts }),
    ...(found !== true && { digest: messageDigest(wanted.message) }),
    state: 'posted',
    tries: 0,
    ...(!wanted.urgent && claim.request.status === 'running' && { calmUntil: now + minEditInterval }),
  }
  await ledger.put(wanted.key, next, post.state === 'posted' ? 'later' : undefined)
}

const otherMethods: Readonly<Record<string, string>> = {
  private: 'chat.postEphemeral',
  workflow: 'functions.complete…',
}

async function failed(task: Task, post: Post, failure: Failure): Promise<number | null | 'nowhere'> {
  const { wire, ledger, wanted, places, claim } = task
  const now = wire.clock.now()
  const method = post.state === 'posted' ? 'chat.update' : (otherMethods[wanted.where] ?? 'chat.postMessage')
  const error = failureCode(failure)
  const fields = { request: claim.request.id, message: wanted.key, channel: post.channel, method, error }
  wire.warn(`${method} ${error}`, fields, 'a call to Slack failed')
  // If a reply finds no thread, the card is gone.
  const lost = failure.kind === 'gone' && (wanted.key === 'card' || post.state !== 'posted')
  if (lost && ledger.restarts < maxCardReposts) {
    await ledger.startOver()
    return now
  }
  // A message that can't be edited any more is posted elsewhere only to show the outcome.
  const isStale = lost && post.state === 'posted' && !isEnded(claim.request.status)
  const isElsewhere = ledger.detour + 1 < places.length && !isStale && (lost || failure.kind === 'closed')
  if (isElsewhere && wanted.where === 'channel' && mayTurn.has(wanted.key)) {
    await ledger.turn()
    return now
  }
  const unfit = failure.kind === 'unfit' || isStale
  if (unfit || failure.kind === 'gone' || failure.kind === 'closed' || now - post.since > giveUpAfter) {
    const what = { message: wanted.key, channel: post.channel, failure: failure.kind }
    wire.log.warn(what, 'Slack rejected a message')
    // Only this text was rejected; a later version may fit.
    const next: Post = unfit ? { ...post, digest: messageDigest(wanted.message) } : { ...post, state: 'given up' }
    await ledger.put(wanted.key, next)
    return failure.kind === 'gone' ? null : 'nowhere'
  }
  const notBefore =
    now + (failure.kind === 'wait' ? failure.ms : Math.min(60_000, 1_000 * 2 ** Math.min(post.tries, 6)))
  // A post that may have arrived stays `sending` until it is found or repeated. A failed search proves nothing.
  const state = failure.kind === 'unknown' && post.state === 'waiting' ? 'sending' : post.state
  const repeated = failure.kind === 'unknown' && failure.repeated
  await ledger.put(wanted.key, { ...post, state, notBefore, ...(repeated && { repeated }) })
  return notBefore
}
