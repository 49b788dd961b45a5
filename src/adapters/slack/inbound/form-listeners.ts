import type { App, BlockAction, ExternalSelectAction, ViewOutput, ViewSubmitAction } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../../../core/model/roles.ts'
import { type Language, say, type Words } from '../../../core/model/words.ts'
import { accept, openForm } from '../../../core/requests/accept.ts'
import { acceptForm, type FormResult } from '../../../core/requests/accept-form.ts'
import { type Arrival, gatewayFor, inTime, languageFor, type Origin } from '../../../core/requests/gateway.ts'
import { isKoreanTime } from '../../../core/time/format.ts'
import { pieceText, type Rendered, rendered } from '../../../core/words/render.ts'
import { endpointAction } from '../forms/elements.ts'
import { formId, formMetadataIn, formView, previewId, previewMetadataIn, previewView } from '../forms/form.ts'
import { readForm, refilled } from '../forms/read-form.ts'
import { plainModal } from '../home/menu.ts'
import { dateFormat, inUtc, seenParts } from '../kit/text.ts'
import { nullOnFailure } from '../web/failures.ts'
import { actorIn, type ListenerContext, messageFor, replyUrlIn } from './interaction.ts'

type Ack = Parameters<Parameters<typeof App.prototype.view<ViewSubmitAction>>[1]>[0]['ack']

/** Handles submitted forms. Errors appear at their fields, and a valid form becomes a line like any other. */
export function listenToForms(app: App, listening: ListenerContext): void {
  app.view<ViewSubmitAction>({ callback_id: formId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const { commands, gateways } = listening
    const language = () => languageFor(gateways, actorIn(body))
    const from = formMetadataIn(view.private_metadata)
    const row = from === null ? undefined : commands.find(from.verb)
    if (from === null || row === undefined) return answer(ack, oldForm, await language())
    const given = from.request === undefined ? {} : { request: from.request }
    const filled = readForm(commands, row, view.state.values, await language(), given)
    if ('errors' in filled) return ack({ response_action: 'errors', errors: filled.errors })
    const { channel, line, values } = filled
    const place = { ...from, ...(channel !== undefined && { channel, chosen: true }) }
    const arrival = arrivalOf(listening, body, place, line)
    const result = await acceptForm(listening, arrival, { ...filled, row })
    if (result.kind === 'wrong') {
      const errors = await inPlainText(gatewayFor(gateways, arrival), arrival.actor, result.errors, await language())
      return ack({ response_action: 'errors', errors })
    }
    if (result.kind !== 'preview') return answer(ack, result, await language())
    const preview = previewView(result.preview, { ...place, line }, { row: result.row, values }, await language())
    return ack({ response_action: 'push', view: preview })
  })

  // The person has seen the preview of a rule and confirms it.
  app.view<ViewSubmitAction>({ callback_id: previewId, type: 'view_submission' }, async ({ ack, body, view }) => {
    const language = () => languageFor(listening.gateways, actorIn(body))
    const from = previewMetadataIn(view.private_metadata)
    if (from === null) return answer(ack, oldForm, await language())
    return answer(ack, await accept(listening, arrivalOf(listening, body, from, from.line)), await language())
  })
}

const oldForm = { kind: 'said', says: say('form.old') } as const

async function answer(ack: Ack, result: Exclude<FormResult, { kind: 'preview' | 'wrong' }>, language: Language) {
  if (result.kind === 'accepted' || result.kind === 'form') return ack({ response_action: 'clear' })
  return ack({ response_action: 'update', view: plainModal(messageFor(result, language).blocks, language) })
}

/** Writes the errors of fields with names and local times, because Slack takes neither mentions nor dates there. */
async function inPlainText(
  gateway: ReturnType<typeof gatewayFor>,
  reader: Actor,
  errors: Readonly<Record<string, Words>>,
  language: Language,
): Promise<Record<string, string>> {
  const zone = gateway === undefined ? null : await inTime(gateway.zoneOf(reader), null)
  const textOf = async (piece: Rendered) => {
    const user = typeof piece === 'object' && 'person' in piece ? piece.person.user : undefined
    if (user === undefined || gateway === undefined) return pieceText(piece)
    const [name] = (await inTime(gateway.namesOf(user), null)) ?? []
    return name === undefined ? pieceText(piece) : `@${name}`
  }
  const written = Object.entries(errors).map(async ([field, says]) => {
    const texts = await Promise.all(rendered(says, language).map(textOf))
    return [field, inZone(texts.join(''), zone)] as const
  })
  return Object.fromEntries(await Promise.all(written))
}

/** Writes the times of a text in one reader's zone: "20 Nov 2026, 10:30". */
function inZone(text: string, zone: string | null): string {
  if (zone === null) return inUtc(text)
  const format = dateFormat(isKoreanTime(text) ? 'ko' : 'en-GB', zone)
  return seenParts(text)
    .map((part) => (typeof part === 'number' ? format.format(part) : part))
    .join('')
}

function arrivalOf(
  listening: ListenerContext,
  body: ViewSubmitAction,
  { channel, chosen, project, replyUrl }: Origin & { readonly chosen?: boolean | undefined },
  typed: string,
): Arrival {
  return {
    // A form counts once, however often its button is pressed or Slack delivers it.
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

/** The longest time before the acknowledgement, in ms. Slack shows an error after 3 s. */
const longest = 2_000

/** Refills an open form when the person picks an endpoint in it. */
export function listenToPicks(app: App, listening: ListenerContext): void {
  app.action<BlockAction<ExternalSelectAction>>(
    { action_id: endpointAction, type: 'block_actions' },
    async ({ ack, body, action, client }) => {
      const { view } = body
      if (view?.callback_id !== formId) return
      const endpoint = action.selected_option?.value
      // The acknowledgement comes last, so that the form is complete when the person goes on.
      if (endpoint !== undefined)
        await inTime(beginAnew(listening, client, { view, actor: actorIn(body), endpoint }), undefined, longest)
      await ack()
    },
  )
}

async function beginAnew(
  listening: ListenerContext,
  client: WebClient,
  { view, actor, endpoint }: { readonly view: ViewOutput; readonly actor: Actor; readonly endpoint: string },
): Promise<void> {
  const { commands, gateways, log } = listening
  const from = formMetadataIn(view.private_metadata)
  if (from === null) return
  const typed = commands.write(from.verb, { endpoint })
  await nullOnFailure(log, {}, 'could not fill a form again', async () => {
    const opened = await openForm(listening, { ...from, delivery: view.id, typed, via: 'form', actor })
    if (opened.kind !== 'form') return
    const filled = refilled(formView(opened.form, await languageFor(gateways, actor)), view, endpoint)
    await client.views.update({ view_id: view.id, view: filled })
  })
}
