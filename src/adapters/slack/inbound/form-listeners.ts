import type { App, ViewSubmitAction } from '@slack/bolt'
import { type Language, say } from '../../../core/model/words.ts'
import { type Arrival, accept, type Origin } from '../../../core/requests/accept.ts'
import { acceptForm, type FormResult } from '../../../core/requests/accept-form.ts'
import { languageFor } from '../../../core/requests/gateway.ts'
import { asText } from '../../../core/words/render.ts'
import { formId, formMetadataIn, previewId, previewMetadataIn, previewView } from '../forms/form.ts'
import { readForm } from '../forms/read-submission.ts'
import { plainModal } from '../home/menu.ts'
import { actorIn, type ListenerContext, messageFor, replyUrlIn } from './interaction.ts'

type Ack = Parameters<Parameters<typeof App.prototype.view<ViewSubmitAction>>[1]>[0]['ack']

/** Forms that come back. What is wrong stands at its field; what is right is a line like any other. */
export function listenToForms(app: App, listening: ListenerContext): void {
  app.view<ViewSubmitAction>({ callback_id: formId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const { commands, gateways } = listening
    const language = () => languageFor(gateways, actorIn(body))
    const from = formMetadataIn(view.private_metadata)
    const row = from === null ? undefined : commands.find(from.verb)
    if (from === null || row === undefined) return answer(ack, oldForm, await language())
    const given = from.request === undefined ? {} : { request: from.request }
    const filled = readForm(commands, row, view.state.values, await language(), given)
    if ('errors' in filled) return answer(ack, { kind: 'wrong', errors: filled.errors }, await language())
    const { channel, line, values } = filled
    const place = { ...from, ...(channel !== undefined && { channel, chosen: true }) }
    const result = await acceptForm(listening, arrivalOf(listening, body, place, line), { ...filled, row })
    if (result.kind !== 'preview') return answer(ack, result, await language())
    const preview = previewView(result.preview, { ...place, line }, { row: result.row, values }, await language())
    return ack({ response_action: 'push', view: preview })
  })

  // Somebody has seen what a rule comes to, and asks for it.
  app.view<ViewSubmitAction>({ callback_id: previewId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const language = () => languageFor(listening.gateways, actorIn(body))
    const from = previewMetadataIn(view.private_metadata)
    if (from === null) return answer(ack, oldForm, await language())
    return answer(ack, await accept(listening, arrivalOf(listening, body, from, from.line)), await language())
  })
}

const oldForm = { kind: 'said', says: say('form.old') } as const

async function answer(
  ack: Ack,
  result: Exclude<FormResult, { readonly kind: 'preview' }>,
  language: Language,
): Promise<void> {
  if (result.kind === 'wrong') {
    const errors = Object.entries(result.errors).map(([field, says]) => [field, asText(says, language)] as const)
    return ack({ response_action: 'errors', errors: Object.fromEntries(errors) })
  }
  if (result.kind === 'taken' || result.kind === 'form') return ack({ response_action: 'clear' })
  return ack({ response_action: 'update', view: plainModal(messageFor(result, language).blocks, language) })
}

function arrivalOf(
  listening: ListenerContext,
  body: ViewSubmitAction,
  { channel, chosen, project, replyUrl }: Origin & { readonly chosen?: boolean | undefined },
  typed: string,
): Arrival {
  return {
    // A form is handed in once, however often its button is pressed or Slack delivers it.
    delivery: `form ${body.view.id}`,
    typed,
    via: 'form',
    actor: actorIn(body),
    channel,
    ...(chosen === true && { chosen }),
    project,
    replyUrl: replyUrlIn(listening, replyUrl),
  }
}
