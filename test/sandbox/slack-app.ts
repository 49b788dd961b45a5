import { Server } from 'node:http'
import { App, HTTPReceiver, type Logger, LogLevel, type Receiver, SocketModeReceiver } from '@slack/bolt'
import type { SlackSandbox } from '../../sandbox/slack/start.ts'

/** Tests provoke errors on purpose and assert those that matter. */
const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
}

/** Options of every client: no retries, so that a test sees each answer, and no log. */
export const quiet = { timeout: 5000, retryConfig: { retries: 0 }, logger: silent }

/** Returns Slack's name of the reason why a call was refused; `nothing` if it wasn't. */
export async function errorOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => 'nothing',
    (reason: unknown) => reason,
  )
  return (error as { data?: { error?: string } }).data?.error ?? String(error)
}

/** A real Bolt app in Socket Mode, connected to the sandbox. `prepare` adds its listeners before it connects. */
export async function socketApp(slack: SlackSandbox, prepare: (app: App) => void): Promise<App> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: silent,
    installerOptions: { clientOptions: { slackApiUrl: slack.url, ...quiet } },
  })
  const app = appOver(receiver, slack)
  prepare(app)
  await app.start()
  return app
}

/** A real Bolt app in HTTP mode on a free port, registered with the sandbox. */
export async function httpApp(slack: SlackSandbox, prepare: (app: App) => void): Promise<App> {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: silent })
  const app = appOver(receiver, slack)
  prepare(app)
  const server = await app.start({ port: 0, host: '127.0.0.1' })
  slack.http.setRequestUrl(`http://127.0.0.1:${portOf(server)}/slack/events`)
  return app
}

function appOver(receiver: Receiver, slack: SlackSandbox): App {
  return new App({
    token: slack.botToken,
    receiver,
    convoStore: false,
    logger: silent,
    clientOptions: { slackApiUrl: slack.url, ...quiet },
  })
}

function portOf(server: unknown): number {
  if (!(server instanceof Server)) throw new Error('The app is not in HTTP mode.')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The app does not listen.')
  return address.port
}
