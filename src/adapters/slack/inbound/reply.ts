import type { RespondFn } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import { usageOf, writeLine } from '../../../core/commands/parse.ts'
import type { Log } from '../../../core/ports/services.ts'
import { type Form, formView } from '../forms/form.ts'
import { plain } from '../forms/inputs.ts'
import { formButton, type Message } from '../kit/blocks.ts'
import { sentence } from '../messages/query-answer.ts'
import type { Taken } from './arrival.ts'

/** Somebody who has just typed or pressed something, and the ways there are to answer. */
export interface Asker {
  readonly client: WebClient
  readonly user: string
  /** Opens one view, within 3 s. */
  readonly trigger: string
  /** The open modal in which it was pressed. */
  readonly modal?: string
  /** Slack's own way back to a message or a command. */
  readonly respond?: RespondFn
  readonly log: Log
}

/** Says or opens what there is to say or open. Never throws: what came in is stored, whatever becomes of this. */
export async function tell(asker: Asker, taken: Taken): Promise<void> {
  if (taken.kind === 'form') return openForm(asker, taken.form)
  if (taken.kind === 'said') return say(asker, taken.message)
  if (asker.modal !== undefined) return say(asker, sentence('Taken. What comes of it is sent to you directly.'))
}

/** A trigger that has run out cannot be helped; a button brings a fresh one, and the usage says what to type. */
async function openForm(asker: Asker, form: Form): Promise<void> {
  const { client, trigger, modal, log } = asker
  const view = formView(form)
  try {
    if (modal === undefined) await client.views.open({ trigger_id: trigger, view })
    else await client.views.push({ trigger_id: trigger, view })
  } catch (err) {
    log.warn({ err }, 'a form could not be opened')
    const { row, values, says = `The form could not be opened. Write: ${usageOf(row)}` } = form
    const { modal: _, ...elsewhere } = asker
    await say(elsewhere, sentence(says, formButton(writeLine(row, values))))
  }
}

async function say(asker: Asker, message: Message): Promise<void> {
  const { client, user, modal, respond, log } = asker
  const { text } = message
  const blocks = [...message.blocks]
  try {
    if (modal !== undefined) await client.views.update({ view_id: modal, view: noticeView(message) })
    else if (respond !== undefined) await respond({ response_type: 'ephemeral', replace_original: false, text, blocks })
    else await client.chat.postMessage({ channel: user, text, blocks, mrkdwn: false, link_names: false, parse: 'none' })
  } catch (err) {
    log.warn({ err }, 'an answer could not be sent')
  }
}

/** A modal that only tells something. */
export function noticeView({ blocks }: Message): ModalView {
  return { type: 'modal', title: plain('Lamplighter', 24), close: plain('Close', 24), blocks: [...blocks] }
}
