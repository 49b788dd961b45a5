import type { App, BlockAction, ExternalSelectAction, ViewOutput } from '@slack/bolt'
import type { Block, InputBlock, KnownBlock, ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../../../core/model/roles.ts'
import { openForm } from '../../../core/requests/accept.ts'
import { languageFor, soon } from '../../../core/requests/gateway.ts'
import { endpointAction } from '../forms/elements.ts'
import { formId, formMetadataIn, formView } from '../forms/form.ts'
import { typedIn } from '../forms/read-form.ts'
import { nullOnFailure } from '../web/failures.ts'
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

/**
 * Fills a form for another endpoint and keeps what the person typed. Slack keeps the value of an input as long as its
 * action id stays the same. So an input with another initial value, which the person has not changed, gets a new action
 * id made from `turn`.
 */
function refilled(view: ModalView, { blocks, state }: ViewOutput, turn: string): ModalView {
  const before = new Map(blocks.filter(isInput).map((one) => [one.block_id, one]))
  const filled = view.blocks.map((block) => {
    const old = before.get(block.block_id ?? '')
    if (!isInput(block) || old === undefined || block.element.action_id === endpointAction) return block
    const isTouched = typedIn(state?.values ?? {}, old.block_id) !== initialOf(old)
    const isKept = isTouched || initialOf(block) === initialOf(old)
    return { ...block, element: { ...block.element, action_id: isKept ? old.element.action_id : `value:${turn}` } }
  })
  return { ...view, blocks: filled as KnownBlock[] }
}

type Input = InputBlock & { readonly block_id: string }

function isInput(block: KnownBlock | Block): block is Input {
  return block.type === 'input' && block.block_id !== undefined
}

/** Returns the initial value of an input. */
function initialOf({ block_id, element }: Input): string | undefined {
  const first = Object.entries(element).map(([key, value]) => [initial[key] ?? key, value])
  return typedIn({ [block_id]: { first: Object.fromEntries(first) } }, block_id)
}

const initial: Readonly<Record<string, string>> = {
  initial_value: 'value',
  initial_option: 'selected_option',
  initial_options: 'selected_options',
  initial_user: 'selected_user',
  initial_date_time: 'selected_date_time',
}
