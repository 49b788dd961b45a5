import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../../../core/model/roles.ts'
import { languageFor } from '../../../core/requests/gateway.ts'
import { listAgain, overviewOf } from '../../../core/requests/overview.ts'
import { homeView, troubleView } from '../home/home.ts'
import { actorIn, type ListenerContext } from './interaction.ts'

/** What a press sets off is usually over by then, ms. */
const soon = 1_500

/** The app's Home, which stands in no channel. */
export function listenAtHome(app: App, listening: ListenerContext): void {
  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab === 'home') await publish(listening, client, { team: body.team_id, user: event.user })
  })
  app.action('refresh', async ({ ack, body, client }) => {
    await ack()
    const viewer = actorIn(body)
    const sees = await publish(listening, client, viewer)
    if (!sees) return
    const isNew = await listAgain(listening.gateways, listening.clock).catch((err: unknown) => {
      listening.log.warn({ err }, 'the endpoints could not be listed again for a Home')
      return false
    })
    if (isNew) await publish(listening, client, viewer)
  })
}

/** Shows the Home as it is once a press there has had time to come to something. */
export async function publishSoon(listening: ListenerContext, client: WebClient, viewer: Actor): Promise<void> {
  await wait(soon, undefined, { ref: false })
  await publish(listening, client, viewer)
}

/** Half a Home is none: a gap could be taken for “nothing waits”. Says whether there is anything to see. */
async function publish(
  { gateways, commands, clock, log, hasPolicy }: ListenerContext,
  client: WebClient,
  viewer: Actor,
): Promise<boolean> {
  const overviews = await Promise.all(gateways.map((gateway) => overviewOf(gateway, viewer))).catch((err: unknown) => {
    log.warn({ err }, 'a Home could not be put together')
    return null
  })
  const corners = overviews?.map((one) => ({ ...one, commands }))
  const language = await languageFor(gateways, viewer)
  const view = corners ? homeView(corners, viewer, clock.now(), language, hasPolicy) : troubleView(language)
  try {
    await client.views.publish({ user_id: viewer.user, view })
  } catch (err) {
    log.warn({ err }, 'a Home could not be published')
  }
  return overviews?.some(({ role }) => role !== null) === true
}
