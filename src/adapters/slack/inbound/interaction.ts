import type { BlockAction, Context, RespondFn } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { usageOf, writeLine } from '../../../core/commands/parse.ts'
import type { Actor } from '../../../core/model/roles.ts'
import { type Language, say, type Words } from '../../../core/model/words.ts'
import type { Log } from '../../../core/ports/services.ts'
import { type Form, type IntakeResult, listWithout } from '../../../core/requests/accept.ts'
import type { Arrival, IntakeContext } from '../../../core/requests/gateway.ts'
import { formMetadataIn, formView } from '../forms/form.ts'
import { plainModal } from '../home/menu.ts'
import { asIs, type Message } from '../kit/blocks.ts'
import { button, buttons, formButton, offerButton } from '../kit/buttons.ts'
import { isDirect } from '../kit/text.ts'
import { sentence, shownMessage, tagWithProject } from '../messages/draw.ts'
import { nullOnFailure } from '../web/failures.ts'

export interface ListenerContext extends IntakeContext {
  readonly log: Log
  /** Whether a URL belongs to Slack, so that an answer may be sent to it later. */
  readonly isSlacks: (url: string) => boolean
  readonly hasPolicy: boolean
}

export function actorIn(body: { user: { id: string; team_id?: string }; team?: { id: string } | null }): Actor {
  return { team: body.user.team_id ?? body.team?.id ?? '', user: body.user.id }
}

/** Returns the channel of a press; in a modal, the channel where that was opened; '' outside channels. */
export function channelOf({ channel, view }: BlockAction): string {
  return channel?.id ?? formMetadataIn(view?.private_metadata ?? '')?.channel ?? ''
}

/** Returns the receiver's id of the delivery, otherwise the trigger id, which is as unique. */
export function deliveryOf(context: Context, trigger: string): string {
  const delivery: unknown = Reflect.get(context, 'deliveryId')
  return typeof delivery === 'string' ? delivery : trigger
}

export function replyUrlIn({ isSlacks }: ListenerContext, url: string | undefined): string | undefined {
  return url !== undefined && isSlacks(url) ? url : undefined
}

export interface ReplyTarget {
  readonly client: WebClient
  readonly user: string
  /** Opens one view within 3 s. */
  readonly trigger: string
  /** The open modal that holds the button. */
  readonly modal?: string | undefined
  /** Answers a message or a command through Slack's response URL. */
  readonly respond?: RespondFn | undefined
  readonly language: () => Promise<Language>
  readonly log: Log
}

/** Sends the answer or opens the form. Never throws, because the request is already stored. */
export async function replyWith(asker: ReplyTarget, taken: IntakeResult): Promise<void> {
  if (taken.kind === 'form') return openModal(asker, taken.form)
  if (taken.kind === 'accepted' && asker.modal === undefined) return
  const language = await asker.language()
  await sayTo(
    asker,
    taken.kind === 'accepted' ? sentence(language, takenText(asker, taken)) : messageFor(taken, language),
  )
}

function takenText({ user }: ReplyTarget, { channel = user }: Extract<IntakeResult, { kind: 'accepted' }>): Words {
  if (channel === user || isDirect(channel)) return say('menu.taken')
  return say('menu.takenIn', { channel: { any: [{ kind: 'channel', id: channel }] } })
}

export function messageFor(
  taken: Exclude<IntakeResult, { readonly kind: 'accepted' | 'form' }>,
  language: Language,
): Message {
  switch (taken.kind) {
    case 'said':
      return sentence(
        language,
        taken.says,
        ...(taken.form === undefined ? [] : [formButton(taken.form, language)]),
        ...(taken.offers ?? []).map((offer, at) => offerButton(offer, at, language)),
      )
    case 'answered':
      return shownMessage(taken.answer, language)
    case 'which project': {
      const { among, line, opens } = taken
      const { text, blocks } = sentence(language, say('project.which'))
      const choices = among.flatMap((project) => tagWithProject(project, [buttons(button(project, opens, line))]))
      return { text, blocks: [...blocks, ...choices] }
    }
  }
}

/** Opens a form. If the trigger has expired, it sends a button, which brings a new trigger, and the usage to type. */
async function openModal(asker: ReplyTarget, form: Form): Promise<void> {
  const { client, trigger, modal, log } = asker
  const language = await asker.language()
  const view = formView(form, language)
  const opened = await nullOnFailure(log, {}, 'could not open a form', () =>
    modal === undefined
      ? client.views.open({ trigger_id: trigger, view })
      : client.views.push({ trigger_id: trigger, view }),
  )
  if (opened !== null) return
  const { row, values, says = say('form.unopened', { usage: usageOf(row) }) } = form
  await sayTo({ ...asker, modal: undefined }, sentence(language, says, formButton(writeLine(row, values), language)))
}

/** Shows a private list again without the request that a press has answered. Deletes it once nothing in it is open. */
export async function replacePressed(
  listening: ListenerContext,
  { respond, language, log }: ReplyTarget,
  id: string,
  arrival: Arrival,
): Promise<void> {
  const isListed = id.endsWith(':listed')
  if (!isListed && !id.endsWith(':last') && !id.startsWith('answer')) return
  await nullOnFailure(log, {}, 'could not replace a private message', async () => {
    const left = isListed ? await listWithout(listening, arrival) : null
    if (left === null) return respond?.({ delete_original: true })
    const { text, blocks } = shownMessage(left, await language())
    return respond?.({ replace_original: true, text, blocks: [...blocks] })
  })
}

export async function sayTo(asker: ReplyTarget, message: Message): Promise<void> {
  const { client, user, modal, respond, log } = asker
  const { text, blocks, ...literally } = asIs(message)
  await nullOnFailure(log, {}, 'could not send an answer', async () => {
    if (modal !== undefined)
      await client.views.update({ view_id: modal, view: plainModal(message.blocks, await asker.language()) })
    else if (respond !== undefined) await respond({ response_type: 'ephemeral', replace_original: false, text, blocks })
    else await client.chat.postMessage({ channel: user, text, blocks, ...literally, mrkdwn: false })
  })
}
