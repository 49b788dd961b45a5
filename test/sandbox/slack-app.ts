import { App, LogLevel, SocketModeReceiver } from '@slack/bolt'
import type { SlackSandbox } from '../../src/sandbox/slack/start.ts'

const quiet = { timeout: 5000, retryConfig: { retries: 0 } }

/** A real Bolt app in Socket Mode, connected to the sandbox. `prepare` adds its listeners before it connects. */
export async function socketApp(slack: SlackSandbox, prepare: (app: App) => void): Promise<App> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: slack.url, ...quiet } },
  })
  const app = new App({
    token: slack.botToken,
    receiver,
    convoStore: false,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.url, ...quiet },
  })
  prepare(app)
  await app.start()
  return app
}
