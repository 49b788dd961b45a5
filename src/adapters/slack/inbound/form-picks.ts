import type { App, BlockAction, ExternalSelectAction, ViewOutput } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../../../core/model/roles.ts'
import { openForm } from '../../../core/requests/accept.ts'
import { languageFor, soon } from '../../../core/requests/gateway.ts'
import { endpointAction } from '../forms/elements.ts'
import { formId, formMetadataIn, formView } from '../forms/form.ts'
import { refilled } from '../forms/refill.ts'
import { actorIn, type ListenerContext } from './interaction.ts'

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
        await soon(beginAnew(listening, client, { view, actor: actorIn(body), endpoint }), undefined, longest)
      await ack()
    },
  )
}

interface Pick {
  readonly view: ViewOutput
  readonly actor: Actor
  readonly endpoint: string
}

async function beginAnew(
  listening: ListenerContext,
  client: WebClient,
  { view, actor, endpoint }: Pick,
): Promise<void> {
  const { commands, gateways, log } = listening
  const from = formMetadataIn(view.private_metadata)
  if (from === null) return
  const typed = commands.write(from.verb, { endpoint })
  try {
    const opened = await openForm(listening, { ...from, delivery: view.id, typed, via: 'form', actor })
    if (opened.kind !== 'form') return
    const standing = { blocks: view.blocks, state: view.state?.values ?? {} }
    const filled = refilled(formView(opened.form, await languageFor(gateways, actor)), standing, endpoint)
    await client.views.update({ view_id: view.id, view: filled })
  } catch (err) {
    log.warn({ err }, 'could not fill a form again')
  }
}
