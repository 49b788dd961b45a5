import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../json.ts'
import type { Message } from '../message.ts'
import type { Control } from '../options.ts'
import type { Person, Workspace } from '../workspace.ts'
import { shownMessage } from './show.ts'
import { isFor, stateFor, viewsFor } from './state.ts'

/** Sends the whole state to a page, then every change, as server-sent events. Ends when the page goes away. */
export function feed(
  workspace: Workspace,
  viewer: Person,
  controls: readonly Control[],
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  function send(kind: string, what: JsonObject): void {
    response.write(`event: ${kind}\ndata: ${JSON.stringify(what)}\n\n`)
  }
  function changed(message: Message): void {
    if (isFor(workspace, viewer, message)) send('message', shownMessage(workspace, viewer, message))
  }
  send('state', stateFor(workspace, viewer, controls))
  const stops = [
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
    for (const stop of stops) stop()
  })
}
