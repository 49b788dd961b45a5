import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../domain/actor.ts'
import { type Corner, homeView } from './home.ts'
import type { Listening } from './listeners.ts'
import { menuView } from './menu.ts'

/** What a press sets off is usually over by then, ms. */
const soon = 1_500

/** The app's Home and the global shortcut: both stand in no channel. */
export function listenAtHome(app: App, listening: Listening): void {
  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab === 'home') await publish(listening, client, { team: body.team_id, user: event.user })
  })
  app.action('refresh', async ({ ack, body, client }) => {
    await ack()
    await publish(listening, client, { team: body.user.team_id ?? body.team?.id ?? '', user: body.user.id })
  })
  app.action({ type: 'block_actions', action_id: 'menu' }, async ({ ack, body, client }) => {
    await Promise.all([client.views.open({ trigger_id: body.trigger_id, view: menuView() }), ack()])
  })
  app.shortcut('lamplighter', async ({ ack, body, client }) => {
    await Promise.all([client.views.open({ trigger_id: body.trigger_id, view: menuView() }), ack()])
  })
}

/** Shows the Home as it is once a press there has had time to come to something. */
export async function publishSoon(listening: Listening, client: WebClient, viewer: Actor): Promise<void> {
  await wait(soon, undefined, { ref: false })
  await publish(listening, client, viewer)
}

/** Everything comes from Redis. What cannot be had is left out: an old Home is worse than one with a gap. */
async function publish({ doors, clock, log }: Listening, client: WebClient, viewer: Actor): Promise<void> {
  const corners = await Promise.all(
    doors.map(async ({ project, store, home }): Promise<Corner> => {
      const [role, open, listed] = await Promise.all([
        home.roleOf(viewer),
        home.open().catch(() => []),
        store.names().catch(() => null),
      ])
      return { project, role, open, listed }
    }),
  )
  try {
    await client.views.publish({ user_id: viewer.user, view: homeView(corners, viewer, clock.now()) })
  } catch (err) {
    log.warn({ err }, 'a Home could not be published')
  }
}
