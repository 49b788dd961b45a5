import { setTimeout as wait } from 'node:timers/promises'
import type { App, BlockAction, SlackShortcut } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Commands } from '../../../core/commands/commands.ts'
import type { Actor } from '../../../core/model/actor.ts'
import { type Corner, homeView, troubleView } from '../home/home.ts'
import { menuView, projectsView } from '../home/menu.ts'
import { projectIn } from '../kit/project-tag.ts'
import { actorIn, type Door, reachAt } from '../projects.ts'
import type { Listening } from './arrival.ts'

/** What a press sets off is usually over by then, ms. */
const soon = 1_500
/** A Home comes whatever was saved, ms. */
const patience = 1_000
/** A list older than this is made anew when somebody asks for it; for how long it is waited for, and how often looked. ms */
const [stale, waited, looked] = [60_000, 10_000, 500] as const

/** The app's Home and the global shortcut: both stand in no channel. */
export function listenAtHome(app: App, listening: Listening): void {
  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab === 'home') await publish(listening, client, { team: body.team_id, user: event.user })
  })
  app.action('refresh', async ({ ack, body, client }) => {
    await ack()
    const viewer = actorIn(body)
    const sees = await publish(listening, client, viewer)
    if (sees && (await isListedAnew(listening))) await publish(listening, client, viewer)
  })
  app.action<BlockAction>({ type: 'block_actions', action_id: 'menu' }, async ({ ack, body, action, client }) => {
    await ack()
    await openMenu(client, body, projectIn(action.block_id))
  })
  app.shortcut('lamplighter', async ({ ack, body, client }) => {
    await ack()
    await openMenu(client, body)
  })

  /** The menu of a project; of several, those are listed first in which there is something to ask for. */
  async function openMenu(client: WebClient, body: BlockAction | SlackShortcut, project?: string): Promise<void> {
    const viewer = actorIn(body)
    const found = await Promise.all(
      listening.doors
        .filter((door) => project === undefined || door.project === project)
        .map(async (door) => ({ project: door.project, reach: await reachAt(door, viewer, '') })),
    )
    const mine = found.filter(({ reach }) => reach.role !== null && reach.role !== undefined)
    const [one = found.find(({ reach }) => reach.role === undefined) ?? found[0], ...more] = mine
    if (one === undefined) return
    const view =
      more.length > 0
        ? projectsView(mine.map(({ project: name }) => name))
        : menuView(listening.commands, one.reach, one.project)
    const modal = 'view' in body && body.view?.type === 'modal' ? body.view.id : undefined
    if (modal === undefined) await client.views.open({ trigger_id: body.trigger_id, view })
    else await client.views.update({ view_id: modal, view })
  }
}

/** Shows the Home as it is once a press there has had time to come to something. */
export async function publishSoon(listening: Listening, client: WebClient, viewer: Actor): Promise<void> {
  await wait(soon, undefined, { ref: false })
  await publish(listening, client, viewer)
}

/** Has what was listed too long ago listed again. Says whether that has come to something. */
async function isListedAnew({ doors, clock, log }: Listening): Promise<boolean> {
  const anew = await Promise.all(
    doors.map(async ({ store, home }) => {
      const before = (await store.names())?.at ?? 0
      if (clock.now() - before <= stale) return false
      await home.listAgain()
      for (let ms = 0; ms < waited; ms += looked) {
        await wait(looked, undefined, { ref: false })
        if (((await store.names())?.at ?? 0) > before) return true
      }
      return false
    }),
  ).catch((err: unknown) => {
    log.warn({ err }, 'the endpoints could not be listed again for a Home')
    return [false]
  })
  return anew.includes(true)
}

/**
 * Everything comes from Redis and from Slack. A gap could be taken for "nothing waits", so half a Home is none. Says
 * whether there is anything to see on it for somebody with this one's roles.
 */
async function publish({ doors, commands, clock, log }: Listening, client: WebClient, viewer: Actor): Promise<boolean> {
  let sees = false
  const view = await Promise.all(doors.map((door) => cornerOf(door, commands, viewer))).then(
    (corners) => {
      sees = corners.some(({ role }) => role !== null)
      return homeView(corners, viewer, clock.now())
    },
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
  return sees
}

async function cornerOf({ project, store, home }: Door, commands: Commands, viewer: Actor): Promise<Corner> {
  const [role, mayAnswer, open, coming, saved, listed] = await Promise.all([
    home.roleOf(viewer, ''),
    home.answersOf(viewer),
    home.open(),
    home.coming(),
    savedAt(home),
    store.names(),
  ])
  return { project, commands, role, mayAnswer, membersOf: home.membersOf, open, coming, saved, listed }
}

async function savedAt(home: Door['home']): Promise<Corner['saved']> {
  return Promise.race([home.saved().catch(() => null), wait(patience, null, { ref: false })])
}
