import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../json.ts'
import type { Message } from '../message.ts'
import type { Control } from '../options.ts'
import type { Person, Workspace } from '../workspace.ts'
import { shownMessage } from './show.ts'
import { clockFor, isFor, stateFor, viewsFor } from './state.ts'

/** How often a page learns that the clock was moved, ms. In between, the page's clock runs by itself. */
const every = 150

/** Sends the whole state to a page, then every change, as server-sent events. Ends when the page disconnects. */
export function feed(
  workspace: Workspace,
  viewer: Person,
  controls: readonly Control[],
  since: number,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  function send(kind: string, what: JsonObject): void {
    response.write(`event: ${kind}\ndata: ${JSON.stringify(what)}\n\n`)
  }
  function changed(message: Message): void {
    if (isFor(workspace, viewer, message)) send('message', shownMessage(workspace, viewer, message))
  }
  let ahead = 0
  let shown = ''
  function look(): void {
    const { now, ...buttons } = clockFor(workspace, controls)
    const moved = Math.abs(now - Date.now() - ahead) > 500
    if (!moved && JSON.stringify(buttons) === shown) return
    ahead = now - Date.now()
    shown = JSON.stringify(buttons)
    send('clock', { now, ...buttons })
  }
  const sendAll = () => send('state', stateFor(workspace, viewer, controls, since))
  sendAll()
  const looking = setInterval(look, every)
  looking.unref()
  const stops = [
    workspace.news.on('members', sendAll),
    workspace.news.on('message', changed),
    workspace.news.on('ephemeral', changed),
    workspace.news.on('update', changed),
    workspace.news.on('delete', changed),
    workspace.news.on('view', ({ user }) => {
      if (user === viewer.id) send('views', viewsFor(workspace, viewer))
    }),
    workspace.news.on('toast', ({ user, text }) => {
      if (user === viewer.id) send('toast', { text })
    }),
  ]
  response.on('close', () => {
    clearInterval(looking)
    for (const stop of stops) stop()
  })
}
