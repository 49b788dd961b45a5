import { isEnded, type Request } from '../../../core/model/request.ts'
import { type Language, say } from '../../../core/model/words.ts'
import { sparingly } from '../../../core/ports/meter.ts'
import { type ClaimedRequest, LeaseLost, type Notifier, type ShowResult } from '../../../core/ports/services.ts'
import { dayMs } from '../../../core/time/calendar.ts'
import type { PlannedMessage } from '../../../lifecycle/messages/draft.ts'
import { plannedMessages } from '../../../lifecycle/messages/planned.ts'
import { saidBy } from '../kit/blocks.ts'
import { isDirect } from '../kit/text.ts'
import { messageOf, type RequestMessage } from '../messages/draw.ts'
import type { Failure } from '../web/failures.ts'
import { placesFor, withDetour, withProject } from './places.ts'
import { ledgerOf, mayTurn, messageDigest, type Post, type SentMessages, sharingCard } from './sent-messages.ts'
import type { Done, Wire } from './wire.ts'

/** How long to keep trying to deliver a message, ms. */
const giveUpAfter = dayMs
/** The shortest time between two progress edits, ms. More frequent ones would use up the channel's rate limit. */
const minEditInterval = 3_000
/** How many times a deleted card is posted again. */
const maxCardReposts = 3

/** One message to deliver. `places`: where the card may go, best first. */
interface Task {
  readonly wire: Wire
  readonly ledger: SentMessages
  readonly wanted: RequestMessage
  readonly places: readonly string[]
  readonly claim: ClaimedRequest
}

/** Posts or edits a message. Returns null when done, when to try again (ms), or `nowhere` if no channel takes it. */
async function deliverMessage(task: Task): Promise<number | null | 'nowhere'> {
  const { wire, ledger, wanted, claim } = task
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
  if (notBefore > now) return notBefore
  if (post?.state === 'posted' && postedAt(post) < (wanted.anewAfter ?? 0)) {
    await ledger.renew(post)
    return now
  }

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
        id: `${(wanted.key === 'card' && ledger.isShared && claim.request.group) || claim.request.id}/${wanted.key}`,
        channel,
        wanted,
        thread: card?.ts,
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
function postedAt({ ts }: Post): number {
  return Math.floor(Number(ts) * 1_000)
}

function channelFor({ wire, ledger, wanted: { where, to }, places }: Task): string {
  if (where === 'private') return to?.channel ?? ''
  if (where === 'workflow') return ''
  if (where === 'operations') return wire.operationsChannel() ?? ''
  return (where === 'channel' ? places[ledger.detour] : ledger.of('card')?.channel) ?? ''
}

async function done(
  { ledger, wanted, claim }: Task,
  post: Post,
  { channel, ts, found }: Done,
  now: number,
): Promise<void> {
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
  const error = 'why' in failure ? failure.why : failure.kind
  const fields = { request: claim.request.id, message: wanted.key, channel: post.channel, method, error }
  wire.warn(`${method} ${error}`, fields, 'a call to Slack failed')
  // If a reply finds no thread, the card is gone.
  const lost = failure.kind === 'gone' && (wanted.key === 'card' || post.state !== 'posted')
  if (lost && ledger.restarts < maxCardReposts) {
    await ledger.startOver()
    return now
  }
  // A message that nobody may edit goes on in another place only for the outcome.
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

/**
 * Posts and edits the messages of a request, one after another, and records each before and after it is sent. It
 * depends only on the current state, so it can run at any time, twice, or after a crash.
 */
export function createNotifier(given: Omit<Wire, 'warn'>): Notifier {
  const wire: Wire = { ...given, warn: sparingly(given.log) }
  return { show: (claim) => show(wire, claim), toldAt }
}

/** Returns when the card was posted, ms; null if there is no card. */
function toldAt(claim: ClaimedRequest): number | null {
  const card = ledgerOf(claim).of('card')
  return card?.state === 'posted' && card.ts !== undefined ? postedAt(card) : null
}

/** The longest wait while another request shows the same group, ms. It is random, so that they return one by one. */
const groupPause = 300

async function show(wire: Wire, claim: ClaimedRequest): Promise<ShowResult> {
  const { id, group } = claim.request
  const own = ledgerOf(claim)
  if (group === undefined) return showAll(wire, claim, own)
  const shared = await wire.claimGroup(group)
  if (shared === null) return { again: wire.clock.now() + Math.ceil(groupPause * Math.random()) }
  try {
    const ledger = sharingCard(own, shared)
    const together = shared.requests.map((one) => (one.id === id ? claim.request : one))
    // Each request gets a card of its own if the shared one was refused, because their owners differ.
    if (ledger.isRefused && new Set(together.map(({ actor }) => actor.user)).size > 1) {
      if (own.of('card') !== undefined && own.detour === 0) await own.turn()
      return await showAll(wire, claim, own)
    }
    const shown = await showAll(wire, claim, ledger, together)
    const card = ledger.of('card')
    // The request also stores the card's address, because other messages link to it.
    if (card?.ts !== undefined && card.ts !== own.of('card')?.ts) await own.put('card', card)
    return shown
  } finally {
    await shared.release()
  }
}

async function showAll(
  wire: Wire,
  claim: ClaimedRequest,
  ledger: SentMessages,
  together?: readonly Request[],
): Promise<ShowResult> {
  const { request } = claim
  const places = placesFor(request, wire.operationsChannel())
  if (places.length === 0 && ledger.of('card') === undefined)
    return { again: null, unpostable: say('request.noChannel') }
  // The card has moved to its requester, who can't approve.
  const isApproval = request.status === 'awaiting' && request.requirement === 'approval'
  if (isApproval && isDirect(ledger.of('card')?.channel ?? ''))
    return { again: null, unpostable: say('request.notHere') }
  // Its first place takes messages, but a card there does not last.
  const isLost = ledger.restarts >= maxCardReposts
  let again: number | null = null
  const about = request.ending?.about === undefined ? null : await wire.linkTo(request.ending.about)
  const question = request.status === 'awaiting' ? `ask.${request.ask?.n}` : ''
  const hadAsked = ledger.of(question)?.state === 'posted'
  const askedAt = hadAsked ? await wire.addressOf(ledger.of(question)) : null
  for (const planned of plannedMessages(claim, wire.clock.now(), about, wire.membersOf, together, askedAt)) {
    const shown = planned.secret !== undefined ? withSecret(wire, request, planned) : planned
    const wanted = await withAsker(
      wire,
      messageOf(
        withDetour(request, shown, isLost ? undefined : places[ledger.detour]),
        await languageOf(wire, planned),
      ),
    )
    const whole = withProject(wire, request, placed(wire, ledger, wanted), places[ledger.detour])
    const next = await deliverMessage({ wire, ledger, wanted: whole, places, claim })
    if (next === 'nowhere') {
      // The operations channel has just refused the message, so it goes to the card's thread next.
      if (wanted.where === 'operations' && wire.operationsChannel() !== undefined) again = wire.clock.now()
      const isAsked = request.status === 'awaiting' && request.requirement !== 'notice'
      // The requester may have got buttons of their own.
      const isUnasked = wanted.key === question && ledger.of(`own.${request.ask?.n}`)?.state !== 'posted'
      if (isAsked && (wanted.key === 'card' || isUnasked)) return { again: null, unpostable: say('request.notHere') }
      wire.log.error({ request: request.id, message: wanted.key }, 'could not deliver a message to any channel')
    } else if (next !== null) {
      // A message starts over, so the messages after it must be checked again.
      if (next <= wire.clock.now()) return { again: next }
      again = again === null ? next : Math.min(again, next)
    }
  }
  if (ledger.detour + 1 < places.length && isEndRefused(ledger)) {
    await ledger.turn()
    return { again: wire.clock.now() }
  }
  // The card is posted before its question, so a second pass adds the link to it.
  if (!hadAsked && ledger.of(question)?.state === 'posted') return showAll(wire, claim, ledger, together)
  return { again }
}

/** Whether the reply with the end was refused where the card is. An edit notifies nobody, but a card elsewhere does. */
function isEndRefused(ledger: SentMessages): boolean {
  const [card, end] = [ledger.of('card'), ledger.of('end')]
  const isRefused = end?.state === 'given up' && end.tries > 0 && end.repeated !== true
  return isRefused && card?.state === 'posted' && card.channel === end.channel
}

/** Adds a token or a calendar address. It is derived from a key and not stored with the request. */
function withSecret({ tokens }: Wire, { id }: Request, planned: PlannedMessage): PlannedMessage {
  const { says, parts } = planned.draft
  const secret = tokens.secretOf(id) ?? ''
  const shown = planned.secret === 'address' ? `/v1/calendar/${secret}.ics` : secret
  return { ...planned, draft: { says, parts: [...parts, { kind: 'lines', lines: [shown] }] } }
}

/** Puts the asker's name first, as in "ana: Stop my-llm?". */
async function withAsker({ people }: Wire, wanted: RequestMessage): Promise<RequestMessage> {
  const [name] = (wanted.asker && (await people.namesOf(wanted.asker.user))) ?? []
  return name === undefined ? wanted : { ...wanted, message: saidBy(name, wanted.message) }
}

/** A channel gets the project's language, and a private message that of its reader. */
async function languageOf({ language, people }: Wire, { where, to }: PlannedMessage): Promise<Language> {
  return (where === 'private' && to !== undefined ? await people.languageOf(to.user) : null) ?? language()
}

/** Moves a message to the card's thread and channel if there is no operations channel or it refused the message. */
function placed(wire: Wire, ledger: SentMessages, wanted: RequestMessage): RequestMessage {
  if (wanted.where !== 'operations') return wanted
  const isRefused = ledger.of(wanted.key)?.state === 'given up'
  if (wire.operationsChannel() !== undefined && !isRefused) return wanted
  return { ...wanted, key: `${wanted.key}.thread`, where: 'thread and channel' }
}
