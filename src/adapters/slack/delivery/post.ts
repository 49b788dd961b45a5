import type { WebClient } from '@slack/web-api'
import { type Request, waitsForPeople } from '../../../core/model/request.ts'
import { type Language, say } from '../../../core/model/words.ts'
import type { MembersOf } from '../../../core/policy/who-answers.ts'
import type { WarnSparingly } from '../../../core/ports/meter.ts'
import type { Groups } from '../../../core/ports/request-store.ts'
import type { People, Services, TokenSecrets } from '../../../core/ports/services.ts'
import { tracedCall } from '../../../core/ports/traces.ts'
import { asText } from '../../../core/words/render.ts'
import { type PlannedMessage, smallPart } from '../../../lifecycle/messages/draft.ts'
import { asIs, contextLine, type Message } from '../kit/blocks.ts'
import { isDirect } from '../kit/text.ts'
import { ofProject, type RequestMessage } from '../messages/draw.ts'
import { type Failure, failureOf } from '../web/failures.ts'
import { type DeliveryParts, type Done, fitting, type Sending, sendFile, sendPrivately } from './send-private.ts'
import type { AddressOf, MessageLink } from './sent-messages.ts'
import { tellWorkflow } from './tell-workflow.ts'

type Address = { readonly channel: string; readonly ts: string }

export type Delivery = ReturnType<typeof createDelivery>

/** What shows a project's messages. */
export interface Wire extends Pick<Services, 'operationsChannel' | 'clock' | 'log'>, Pick<Groups, 'claimGroup'> {
  readonly delivery: Delivery
  /** Whether messages in this channel must name their project. */
  readonly isShared: (channel: string) => boolean
  readonly membersOf: MembersOf
  readonly tokens: Pick<TokenSecrets, 'secretOf'>
  /** The language of the project's channels in the current policy file. */
  readonly language: () => Language
  readonly people: Pick<People, 'languageOf' | 'namesOf'>
  /** Takes a channel's next slot. Returns 0, or the ms to wait. Urgent messages may use a reserve. */
  readonly pace: (channel: string, urgent: boolean) => Promise<number>
  readonly linkTo: MessageLink
  readonly addressOf: AddressOf
  /** Logs a repeated refusal by Slack once, then its count. */
  readonly warn: WarnSparingly
}

/** `client` must not retry by itself: a post with a lost reply is searched for before it is sent again. */
export function createDelivery(parts: DeliveryParts) {
  const { client } = parts

  async function post({ id, channel, wanted, thread }: Sending, message: Message): Promise<Done> {
    const answer = await client.chat.postMessage({
      ...asIs(message),
      ...placeOf(wanted.where, channel, thread),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
      metadata: { event_type: 'lamplighter', event_payload: { id } },
    })
    return { kind: 'done', channel: answer.channel ?? channel, ...(answer.ts !== undefined && { ts: answer.ts }) }
  }

  /** Sends a second copy, marked as repeated. If that one is lost as well, the channel counts as closed. */
  async function repeat(sending: Sending): Promise<Done | Failure> {
    if (sending.repeated === true) return { kind: 'closed', why: 'unconfirmed' }
    try {
      return await fitting(repeated(sending.wanted), (message) => post(sending, message))
    } catch (error) {
      const failure = failureOf(error)
      return failure.kind === 'unknown' ? { ...failure, repeated: true } : failure
    }
  }

  async function send(sending: Sending): Promise<Done | Failure> {
    const { wanted } = sending
    if (wanted.file !== undefined) return sendFile(parts, sending, wanted.file)
    if (wanted.report !== undefined) return tellWorkflow(parts, wanted.report, wanted.message.text)
    if (wanted.where === 'private') return sendPrivately(parts, wanted, sending.thread)
    try {
      const found =
        sending.unconfirmedSince === undefined ? null : await lookFor(client, sending, sending.unconfirmedSince)
      if (found === 'perhaps') return await repeat(sending)
      return found ?? (await fitting(wanted.message, (message) => post(sending, message)))
    } catch (error) {
      return failureOf(error)
    }
  }

  function edit({ channel, ts }: Address, message: Message): Promise<Done | Failure> {
    const edited = fitting(message, (said) => client.chat.update({ channel, ts, ...asIs(said) }))
    return edited.then(() => ({ kind: 'done', channel, ts }), failureOf)
  }

  return {
    send: (sending: Sending) =>
      asCall('slack post', { channel: sending.channel, message: sending.id }, () => send(sending)),
    edit: (at: Address, message: Message) => asCall('slack edit', { ...at }, () => edit(at, message)),
  }
}

function asCall(name: string, attributes: Readonly<Record<string, string>>, send: () => Promise<Done | Failure>) {
  return tracedCall(name, attributes, async (note) => {
    const sent = await send()
    note({ outcome: sent.kind, ...('why' in sent && { error: sent.why }) })
    return sent
  })
}

function placeOf(where: RequestMessage['where'], channel: string, thread: string | undefined) {
  if (where === 'channel' || where === 'operations' || thread === undefined) return { channel }
  if (where === 'thread') return { channel, thread_ts: thread }
  return { channel, thread_ts: thread, reply_broadcast: true as const }
}

function repeated({ message: { text, blocks }, language }: RequestMessage): Message {
  const [short, long] = [say('message.repeated'), say('message.repeatedWhy')].map((one) => asText(one, language))
  return { text: `${text} (${short})`, blocks: [...blocks, contextLine(long ?? '')] }
}

/** How far before the first attempt a search begins, s, because clocks differ: as much as Slack's signatures allow. */
const before = 300

/** Returns null if it did not arrive, `perhaps` if the channel cannot be read or has more than 100 newer messages. */
async function lookFor(
  client: WebClient,
  { id, channel, thread, wanted }: Sending,
  since: number,
): Promise<Done | null | 'perhaps'> {
  const oldest = String(since / 1000 - before)
  const range = { channel, oldest, limit: 100, include_all_metadata: true }
  try {
    const inThread = wanted.where.startsWith('thread') && thread !== undefined
    const { messages, has_more } = inThread
      ? await client.conversations.replies({ ...range, ts: thread })
      : await client.conversations.history(range)
    const found = messages?.find(({ metadata }) => Reflect.get(metadata?.event_payload ?? {}, 'id') === id)
    if (found?.ts !== undefined) return { kind: 'done', channel, ts: found.ts, found: true }
    return has_more === true ? 'perhaps' : null
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'refused' || failure.kind === 'closed') return 'perhaps'
    throw error
  }
}

/**
 * Lists where the card may go, best first. A question needs an audience, so it never falls back to a private place. A
 * notice and the result of a question may go anywhere; an answer goes to no other channel. The policy file has no direct
 * messages.
 */
export function placesFor(request: Request, operationsChannel: string | undefined): readonly string[] {
  const { place, ask, actor, kind } = request
  const operations = operationsChannel === undefined ? [] : [operationsChannel]
  const home = ask !== undefined && isDirect(place.channel) ? operations : [place.channel]
  const others = kind === 'query' ? [actor.user] : [actor.user, ...operations]
  return waitsForPeople(request) ? home : [...new Set([...home, ...others])].filter((one) => one !== '')
}

/** Says on a message that goes to the requester why it isn't in the channel of the request. */
export function withDetour({ place, actor }: Request, planned: PlannedMessage, to: string | undefined): PlannedMessage {
  if (planned.where !== 'channel' || to !== actor.user || isDirect(place.channel)) return planned
  const { says, parts } = planned.draft
  const channel = { any: [{ kind: 'channel', id: place.channel } as const] }
  return { ...planned, draft: { says, parts: [...parts, smallPart(say('card.notThere', { channel }))] } }
}

/** Messages in the card's thread need no project name, because the card has it. */
export function withProject(wire: Wire, { project }: Request, wanted: RequestMessage, place?: string): RequestMessage {
  const { where, to } = wanted
  const channel = where === 'private' ? to?.channel : where === 'operations' ? wire.operationsChannel() : place
  const isNamed = where !== 'thread' && wire.isShared(channel ?? '')
  return { ...wanted, message: ofProject(project, wanted.message, wanted.language, isNamed) }
}
