import type { App, BlockAction, ButtonAction, ExternalSelectAction, RespondFn, SlackShortcut } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../../../core/model/roles.ts'
import { endpointsFor, gatewayFor, languageFor, reachable, type Whereabouts } from '../../../core/requests/gateway.ts'
import { menuAt } from '../../../core/requests/overview.ts'
import { chooserAction, type MenuPage, menu, menuView, projectsView } from '../home/menu.ts'
import type { Message } from '../kit/blocks.ts'
import { projectIn } from '../messages/draw.ts'
import { actorIn, channelOf, type ListenerContext } from './interaction.ts'

/** Where a page of the menu is shown: in the open modal, in place of the menu's own message, else in a new modal. */
export interface MenuPlace {
  readonly client: WebClient
  readonly trigger: string
  readonly modal?: string | undefined
  readonly instead?: RespondFn | undefined
}

/** The menu of the shortcut and of the Home, and its pages wherever it stands. */
export function listenToMenu(app: App, listening: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(/^menu\b/, async ({ ack, body, action, client, respond }) => {
    await ack()
    const place = placeOf(body, client, respond)
    await showMenu(listening, place, whereabouts(body, action.block_id), action.value ?? '')
  })
  app.action<BlockAction<ExternalSelectAction>>(
    { action_id: chooserAction, type: 'block_actions' },
    async ({ ack, body, action, client, respond }) => {
      await ack()
      const place = placeOf(body, client, respond)
      await showMenu(listening, place, whereabouts(body, action.block_id), 'about', action.selected_option?.value)
    },
  )
  app.shortcut('lamplighter', async ({ ack, body, client }) => {
    await ack()
    await showMenu(listening, placeOf(body, client), { actor: actorIn(body), channel: '' }, 'top')
  })
}

/** What `/endpoint` alone answers. */
export async function menuMessage(listening: ListenerContext, where: Whereabouts, page: MenuPage): Promise<Message> {
  const language = await languageFor(listening.gateways, where.actor)
  return menu({ ...(await menuAt(listening.gateways, where)), commands: listening.commands }, page, language)
}

/** Turns to a page: all commands, an endpoint by its id, else the first. Of several projects one is asked for first. */
export async function showMenu(
  listening: ListenerContext,
  { client, trigger, modal, instead }: MenuPlace,
  where: Whereabouts,
  turnTo: string,
  endpoint?: string,
): Promise<void> {
  const { gateways, commands, log } = listening
  try {
    const mine =
      gatewayFor(gateways, where) === undefined && where.channel === ''
        ? await reachable(gateways, where.actor, '', 'viewer')
        : []
    const [only] = mine
    const at = only === undefined ? where : { ...where, project: only.project }
    const page = endpoint === undefined ? (turnTo === 'more' ? 'more' : 'top') : await endpointAt(at, endpoint)
    if (instead !== undefined) {
      const { text, blocks } = await menuMessage(listening, at, page)
      await instead({ response_type: 'ephemeral', replace_original: true, text, blocks: [...blocks] })
      return
    }
    const language = await languageFor(gateways, where.actor)
    const names = mine.map(({ project }) => project)
    const view =
      names.length > 1
        ? projectsView(names, language)
        : menuView({ ...(await menuAt(gateways, at)), commands }, page, where.channel, language)
    if (modal === undefined) await client.views.open({ trigger_id: trigger, view })
    else await client.views.update({ view_id: modal, view })
  } catch (err) {
    log.warn({ err }, 'the menu could not be shown')
  }

  async function endpointAt(at: Whereabouts, id: string): Promise<MenuPage> {
    const listed = (await endpointsFor(gateways, at)) ?? []
    return listed.find((one) => one.id === id) ?? { id, name: id, active: null }
  }
}

function placeOf(body: BlockAction | SlackShortcut, client: WebClient, respond?: RespondFn): MenuPlace {
  const view = 'view' in body ? body.view : undefined
  const isMessage = 'response_url' in body && body.response_url !== undefined && view === undefined
  return {
    client,
    trigger: body.trigger_id,
    modal: view?.type === 'modal' ? view.id : undefined,
    instead: isMessage ? respond : undefined,
  }
}

function whereabouts(body: BlockAction, block: string): Whereabouts & { readonly actor: Actor } {
  return { actor: actorIn(body), channel: channelOf(body), project: projectIn(block) }
}
