import { randomBytes } from 'node:crypto'
import { type Changes, createChanges } from './changes.ts'
import { createFaults, type Fault, type PlannedFault } from './faults.ts'
import type { Link } from './link.ts'
import type { Message } from './message.ts'
import type { NewsKind, NewsKinds } from './news.ts'
import { type Control, type SlackOptions, settle } from './options.ts'
import { pageRoutes } from './page/site.ts'
import { type Actor, actorFor } from './people/actor.ts'
import { channelBy } from './people/places.ts'
import { createResponseUrls } from './response-urls.ts'
import { appRoutes } from './routes.ts'
import { startServer } from './server.ts'
import { createSignedHttp, type SignedHttp } from './signed-http.ts'
import type { Slack } from './slack.ts'
import { createSockets, type Sockets } from './socket/sockets.ts'
import { transcriptOf } from './transcript.ts'
import { createWebApi } from './web-api/api.ts'
import type { ApiCall, CallListener } from './web-api/call.ts'
import { createWorkflows, type Workflows } from './workflows.ts'
import { type Channel, createWorkspace, directChannel, type Workspace } from './workspace.ts'

/** A Slack with one workspace and one app, on this machine only. */
export interface SlackSandbox {
  /** For `SLACK_API_URL`: ends with `/api/`. */
  readonly url: string
  /** The page for people, with the token that opens it. */
  readonly pageUrl: string
  readonly botToken: string
  readonly appToken: string
  readonly signingSecret: string
  /** Its tables, for tests to look into. */
  readonly workspace: Workspace
  /** The way to the app, with everything that was sent to it. */
  readonly link: Link
  /** The open sockets; useful only in Socket Mode. */
  readonly sockets: Sockets
  /** Signed requests; useful only in HTTP mode. */
  readonly http: SignedHttp
  /** The workflows that people have built with the app's steps. */
  readonly workflows: Workflows
  /** Changes to the workspace without the app. */
  readonly changes: Changes
  /** Returns a person to act as. `from` names another workspace of an Enterprise Grid to act from. */
  as(userId: string, from?: string): Actor
  /** Returns a channel by id or name; for a person's id, the direct conversation with the app. */
  channel(named: string): { readonly channel: Channel; readonly messages: () => readonly Message[] }
  /** Returns the channel as its people see it. */
  transcript(named: string): string
  /** Returns every Web API call so far, or those of one method. */
  calls(method?: string): readonly ApiCall[]
  readonly onCall: (listener: CallListener) => () => void
  readonly on: <Kind extends NewsKind>(kind: Kind, listener: (what: NewsKinds[Kind]) => void) => () => void
  /** Plans a fault for a Web API method (`*` means any). */
  readonly fault: (method: string, fault: Fault, times?: number) => PlannedFault
  readonly clearFaults: () => void
  /** Makes all of Slack unreachable, sockets included, until `up`. */
  readonly down: () => void
  readonly up: () => void
  /** Adds a button to the page's side drawer; open pages show it after a reload. */
  addControl(control: Control): void
  stop(): Promise<void>
}

export async function startSlack(options: SlackOptions = {}): Promise<SlackSandbox> {
  const settings = settle(options)
  const workspace = createWorkspace(settings)
  const faults = createFaults()
  const api = createWebApi(workspace, faults)
  const responseUrls = createResponseUrls(workspace)
  const sockets = createSockets(workspace)
  const signedHttp = createSignedHttp(workspace)
  const link: Link = settings.mode === 'http' ? signedHttp : sockets
  const slack: Slack = { workspace, responseUrls, send: (delivery) => link.send(delivery) }
  const pageToken = randomBytes(16).toString('hex')
  const controls = [...settings.controls]
  const routes = [...appRoutes(workspace, api, responseUrls), ...pageRoutes(slack, pageToken, controls)]
  const server = await startServer(settings.port, routes, sockets.upgrade)
  workspace.origin = server.origin

  function as(userId: string, from?: string): Actor {
    const person = workspace.people.get(userId)
    if (!person) throw new Error(`There is nobody with the id ${userId} in the sandbox.`)
    return actorFor(slack, from === undefined ? person : { ...person, teamId: from })
  }

  function placeOf(named: string): Channel {
    return workspace.people.has(named) ? directChannel(workspace, named) : channelBy(workspace, named)
  }

  return {
    url: `${server.origin}/api/`,
    pageUrl: `${server.origin}/?token=${pageToken}`,
    botToken: settings.botToken,
    appToken: settings.appToken,
    signingSecret: settings.signingSecret,
    workspace,
    link,
    sockets,
    http: signedHttp,
    workflows: createWorkflows(slack),
    changes: createChanges(workspace),
    as,
    channel(named) {
      const channel = placeOf(named)
      return { channel, messages: () => (workspace.messages.get(channel.id) ?? []).filter((m) => !m.deleted) }
    },
    transcript: (named) => transcriptOf(workspace, placeOf(named).id),
    calls: (method) => api.calls.filter((call) => method === undefined || call.method === method),
    onCall: api.onCall,
    on: workspace.news.on,
    fault: faults.add,
    clearFaults: faults.clear,
    down: server.down,
    up: server.up,
    addControl: (control) => void controls.push(control),
    async stop() {
      await sockets.stop()
      await server.stop()
    },
  }
}
