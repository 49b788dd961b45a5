import { setTimeout as wait } from 'node:timers/promises'
import type { App, BlockAction, SlackShortcut } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Actor } from '../domain/actor.ts'
import { type Door, doorFor, roleAt } from './door.ts'
import { type Corner, homeView, troubleView } from './home.ts'
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
    await ack()
    await openMenu(client, body)
  })
  app.shortcut('lamplighter', async ({ ack, body, client }) => {
    await ack()
    await openMenu(client, body)
  })

  async function openMenu(client: WebClient, body: BlockAction | SlackShortcut): Promise<void> {
    const { user, team } = body
    const door = doorFor(listening.doors, { channel: '' })
    const role = await roleAt(door, { team: user.team_id ?? team?.id ?? '', user: user.id }, '')
    await client.views.open({ trigger_id: body.trigger_id, view: menuView(role) })
  }
}

/** Shows the Home as it is once a press there has had time to come to something. */
export async function publishSoon(listening: Listening, client: WebClient, viewer: Actor): Promise<void> {
  await wait(soon, undefined, { ref: false })
  await publish(listening, client, viewer)
}

/** Everything comes from Redis and from Slack. A gap could be taken for "nothing waits", so half a Home is none. */
async function publish({ doors, clock, log }: Listening, client: WebClient, viewer: Actor): Promise<void> {
  const view = await Promise.all(doors.map((door) => cornerOf(door, viewer))).then(
    (corners) => homeView(corners, viewer, clock.now()),
    (err: unknown) => {
      log.warn({ err }, 'a Home could not be put together')
      return troubleView()
    },
  )
  try {
    await client.views.publish({ user_id: viewer.user, view })
  } catch (err) {
    log.warn({ err }, 'a Home could not be published')
  }
}

async function cornerOf({ project, store, home }: Door, viewer: Actor): Promise<Corner> {
  const [role, mayAnswer, open, coming, listed] = await Promise.all([
    home.roleOf(viewer, ''),
    home.answersOf(viewer),
    home.open(),
    home.coming(),
    store.names(),
  ])
  return { project, role, mayAnswer, open, coming, listed }
}
