import { newTokenIn } from '../../../core/model/records.ts'
import { type Request, waitsForPeople } from '../../../core/model/request.ts'
import { type Language, say } from '../../../core/model/words.ts'
import { sparingly } from '../../../core/ports/meter.ts'
import type { ClaimedRequest, Notifier, ShowResult } from '../../../core/ports/services.ts'
import type { PlannedMessage } from '../../../lifecycle/messages/draft.ts'
import { plannedMessages } from '../../../lifecycle/messages/planned.ts'
import { saidBy } from '../kit/blocks.ts'
import { isDirect } from '../kit/text.ts'
import { messageOf, type RequestMessage } from '../messages/draw.ts'
import { deliverMessage, firstDueAt, maxCardReposts, postedAt } from './deliver-message.ts'
import { withNames } from './names.ts'
import { placesFor, type Wire, withDetour, withProject } from './post.ts'
import { isEndRefused, ledgerOf, type SentMessages, sharingCard } from './sent-messages.ts'

/** Compares with the stored state only, so it can run at any time, twice, or after a crash. */
export function createNotifier(given: Omit<Wire, 'warn'>): Notifier {
  const wire: Wire = { ...given, warn: sparingly(given.log) }
  return {
    async show(claim) {
      const { group } = claim.request
      return group === undefined ? showAll(wire, claim, ledgerOf(claim)) : showTogether(wire, claim, group)
    },
    toldAt(claim) {
      const card = ledgerOf(claim).of('card')
      return card?.state === 'posted' && card.ts !== undefined ? postedAt(card) : null
    },
  }
}

/** The longest wait while another request shows the same group, ms. It is random, so that they return one by one. */
const groupPause = 300

/** Shows the card of a group, or that of one owner in it. `refusals`: how many places have refused it. */
async function showTogether(
  wire: Wire,
  claim: ClaimedRequest,
  group: string,
  owner?: string,
  refusals = 0,
): Promise<ShowResult> {
  const { id, actor } = claim.request
  const shared = await wire.claimGroup(group, owner)
  if (shared === null) return { again: wire.clock.now() + Math.ceil(groupPause * Math.random()) }
  try {
    const own = ledgerOf(claim)
    const sharedAs = owner === undefined ? group : `${group}/${owner}`
    const ledger = sharingCard(own, shared, owner === undefined ? 'all' : refusals, sharedAs)
    const together = shared.requests.map((one) => (one.id === id ? claim.request : one))
    // If the channel refused the card or a reply to it, each owner gets a card. What is in the channel is still edited.
    if (owner === undefined && ledger.isRefused) {
      const isPosted = ledger.of('card')?.state === 'posted'
      const edited = isPosted ? await showAll(wire, claim, ledger, together, 'card') : { again: null }
      // A channel that refuses replies to its card takes no other card.
      if (isPosted && placesFor(claim.request, wire.operationsChannel()).length < 2) {
        await keepAddress(own, ledger)
        return edited
      }
      const shown = await showTogether(wire, claim, group, actor.user, isPosted ? 1 : 0)
      const again = [edited.again, shown.again].filter((at) => at !== null)
      return { ...shown, again: again.length === 0 ? null : Math.min(...again) }
    }
    const shown = await showAll(wire, claim, ledger, together)
    await keepAddress(own, ledger)
    return shown
  } finally {
    await shared.release()
  }
}

/** The request also stores the address of a shared card, because other messages link to it. */
async function keepAddress(own: SentMessages, ledger: SentMessages): Promise<void> {
  const card = ledger.of('card')
  if (card?.ts !== undefined && card.ts !== own.of('card')?.ts) await own.put('card', card)
}

async function showAll(
  wire: Wire,
  claim: ClaimedRequest,
  ledger: SentMessages,
  together?: readonly Request[],
  only?: 'card',
): Promise<ShowResult> {
  const { request } = claim
  const places = placesFor(request, wire.operationsChannel()).slice(0, only && 1)
  if (places.length === 0 && ledger.of('card') === undefined)
    return { again: null, unpostable: say('request.noChannel') }
  // The card has moved to its requester, who can't approve.
  const isApproval = request.status === 'awaiting' && request.requirement === 'approval'
  if (isApproval && isDirect(ledger.of('card')?.channel ?? ''))
    return { again: null, unpostable: say('request.notHere') }
  let again: number | null = null
  const about = request.ending?.about === undefined ? null : await wire.linkTo(request.ending.about)
  const question = request.status === 'awaiting' ? `ask.${request.ask?.n}` : ''
  const hadAsked = ledger.of(question)?.state === 'posted'
  const askedAt = hadAsked ? await wire.addressOf(ledger.of(question)) : null
  for (const planned of plannedMessages(claim, wire.clock.now(), about, wire.membersOf, together, askedAt)) {
    const due = firstDueAt(planned, ledger)
    if (due > wire.clock.now()) again = Math.min(again ?? due, due)
    if (due > wire.clock.now() || (only !== undefined && planned.key !== only)) continue
    // A card that is only edited is not posted anew.
    const shown = only === undefined ? planned : { ...planned, anewAfter: 0 }
    const wanted = await drawn(wire, request, ledger, shown, places[ledger.detour])
    const next = await deliverMessage({ wire, ledger, wanted, places, claim })
    if (next === 'nowhere') {
      // The operations channel has just refused the message, so it goes to the card's thread next.
      if (wanted.where === 'operations') again = wire.clock.now()
      const isAsked = waitsForPeople(request)
      // A refused reminder shows that the channel was closed after the question.
      const isClosed = wanted.where === 'thread' && ledger.of(wanted.key)?.state === 'given up'
      // The requester may have got buttons of their own.
      const isUnasked = ledger.of(`own.${request.ask?.n}`)?.state !== 'posted' && (wanted.key === question || isClosed)
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

async function drawn(wire: Wire, request: Request, ledger: SentMessages, planned: PlannedMessage, place?: string) {
  const whole = planned.secret === undefined ? planned : withSecret(wire, request, planned)
  // The first place takes messages, but a card there does not last.
  const isLost = ledger.restarts >= maxCardReposts
  const moved = withDetour(request, whole, isLost ? undefined : place)
  const plain = messageOf(moved, await languageOf(wire, planned))
  const { namesOf } = wire.people
  const message = await withNames(namesOf, plain.message)
  // The asker's name comes first, as in "ana: Stop my-llm?".
  const [name] = (planned.asker && (await namesOf(planned.asker.user))) ?? []
  const wanted = { ...plain, message: name === undefined ? message : saidBy(name, message) }
  return withProject(wire, request, placed(wire, ledger, wanted), place)
}

/** Adds a token or a calendar address. It is derived from a key and not stored with the request. */
function withSecret({ tokens }: Wire, { id, change }: Request, planned: PlannedMessage): PlannedMessage {
  const { says, parts } = planned.draft
  const secret = tokens.secretOf(id, newTokenIn(change)?.digest ?? '') ?? ''
  const shown = planned.secret === 'address' ? `/v1/calendar/${secret}.ics` : secret
  return { ...planned, draft: { says, parts: [...parts, { kind: 'lines', lines: [shown] }] } }
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
