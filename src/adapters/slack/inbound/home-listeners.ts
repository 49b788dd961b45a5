import { setTimeout as wait } from 'node:timers/promises'
import type { App, BlockAction, ButtonAction, ExternalSelectAction, RespondFn } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { noPrices } from '../../../core/model/automation.ts'
import type { Actor } from '../../../core/model/roles.ts'
import { gatewayFor, languageFor, reachable, type Whereabouts } from '../../../core/requests/gateway.ts'
import { aheadOf, endpointsFor, menuAt, overviewOf } from '../../../core/requests/overview.ts'
import { stateWith } from '../../../features/endpoints/lately.ts'
import { pausesOf } from '../../../features/safeguards/freeze.ts'
import { formId } from '../forms/form.ts'
import { homeView, troubleView } from '../home/home.ts'
import { chooserAction, type MenuPage, menu, menuView, projectsView } from '../home/menu.ts'
import type { Message } from '../kit/blocks.ts'
import { projectIn } from '../messages/draw.ts'
import { nullOnFailure } from '../web/failures.ts'
import { actorIn, channelOf, type ListenerContext, type ReplyTarget } from './interaction.ts'

/** How long most presses take to have an effect, ms. */
const soon = 1_500

export function listenAtHome(app: App, listening: ListenerContext): void {
  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab === 'home') await publish(listening, client, { team: body.team_id, user: event.user })
  })
  app.action('refresh', async ({ ack, body, client }) => {
    await ack()
    await publish(listening, client, actorIn(body))
  })
}

/** Publishes the Home again once a press there has had time to take effect. */
export async function publishSoon(listening: ListenerContext, client: WebClient, viewer: Actor): Promise<void> {
  await wait(soon, undefined, { ref: false })
  await publish(listening, client, viewer)
}

/** Publishes a full Home or an error; a gap would read as “nothing waits”. */
async function publish(
  { gateways, commands, clock, log, hasPolicy }: ListenerContext,
  client: WebClient,
  viewer: Actor,
): Promise<void> {
  const overviews = await nullOnFailure(log, {}, 'could not build a Home tab', () =>
    Promise.all(gateways.map((gateway) => overviewOf(gateway, viewer))),
  )
  const corners = overviews?.map((one) => ({ ...one, commands }))
  const language = await languageFor(gateways, viewer)
  const view = corners ? homeView(corners, viewer, clock.now(), language, hasPolicy) : troubleView(language)
  const publishing = { user_id: viewer.user, view }
  await nullOnFailure(log, {}, 'could not publish a Home tab', () => client.views.publish(publishing))
}

/** Where to show a menu page: in the open modal, in place of the menu's message, otherwise in a new modal. */
interface MenuPlace extends Pick<ReplyTarget, 'client' | 'trigger' | 'modal'> {
  readonly instead?: RespondFn | undefined
}

/** Handles the menu of the shortcut and of the Home, and the pages of every menu. */
export function listenToMenu(app: App, listening: ListenerContext): void {
  app.action<BlockAction<ButtonAction>>(/^menu\b/, async ({ ack, body, action, client, respond }) => {
    await ack()
    await showMenu(listening, placeOf(body, client, respond), whereabouts(body, action.block_id), action.value ?? '')
  })
  app.action<BlockAction<ExternalSelectAction>>(
    { action_id: chooserAction, type: 'block_actions' },
    async ({ ack, body, action, client, respond }) => {
      if (body.view?.callback_id === formId) return
      await ack()
      const place = placeOf(body, client, respond)
      await showMenu(listening, place, whereabouts(body, action.block_id), 'about', action.selected_option?.value)
    },
  )
  app.shortcut('lamplighter', async ({ ack, body, client }) => {
    await ack()
    await showMenu(listening, { client, trigger: body.trigger_id }, { actor: actorIn(body), channel: '' }, 'top')
  })
}

/** Answers `/endpoint` without a command. */
export async function menuMessage(listening: ListenerContext, where: Whereabouts, page: MenuPage): Promise<Message> {
  const language = await languageFor(listening.gateways, where.actor)
  return menu({ ...(await menuAt(listening.gateways, where)), commands: listening.commands }, page, language)
}

/** Shows all commands, an endpoint by its id, or the first page. With several projects, it asks for one first. */
export async function showMenu(
  listening: ListenerContext,
  { client, trigger, modal, instead }: MenuPlace,
  where: Whereabouts,
  turnTo: string,
  endpoint?: string,
): Promise<void> {
  const { gateways, commands, log } = listening
  await nullOnFailure(log, {}, 'could not show the menu', async () => {
    const isUnclear = gatewayFor(gateways, where) === undefined && where.channel === ''
    const mine = isUnclear ? await reachable(gateways, where.actor, '', 'viewer') : []
    const [only] = mine
    const at = only === undefined ? where : { ...where, project: only.project }
    const page =
      endpoint === undefined ? (turnTo === 'more' ? 'more' : 'top') : await endpointPage(listening, at, endpoint)
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
  })
}

async function endpointPage({ gateways, clock }: ListenerContext, at: Whereabouts, id: string): Promise<MenuPage> {
  const listed = (await endpointsFor(gateways, at)) ?? []
  const found = listed.find((one) => one.id === id)
  const gateway = gatewayFor(gateways, at)
  const known =
    found && gateway ? await aheadOf(gateway, found) : { open: [], idling: [], prices: noPrices, records: new Map() }
  const endpoint = found ?? { id, name: id, active: null }
  const now = clock.now()
  const pauses = pausesOf({ endpoint, records: known.records, at: now })
  return { endpoint, state: stateWith(endpoint, known, now), pauses }
}

function placeOf({ view, response_url: url, trigger_id: trigger }: BlockAction, client: WebClient, respond: RespondFn) {
  const modal = view?.type === 'modal' ? view.id : undefined
  return { client, trigger, modal, instead: url !== undefined && view === undefined ? respond : undefined }
}

function whereabouts(body: BlockAction, block: string): Whereabouts & { readonly actor: Actor } {
  return { actor: actorIn(body), channel: channelOf(body), project: projectIn(block) }
}
