import { App } from '@slack/bolt'
import { listen } from './adapters/slack/inbound/listeners.ts'
import { createHttpReceiver } from './adapters/slack/receivers/http.ts'
import { createSocketReceiver } from './adapters/slack/receivers/socket-mode.ts'
import { tokenProbe } from './adapters/slack/web/checks.ts'
import { clientOptions, slacksOwn } from './adapters/slack/web/client.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Meter } from './core/ports/meter.ts'
import { commands } from './features/command-table.ts'
import { openDoor } from './gateways.ts'
import type { ProcessLog } from './log.ts'

/** The time limit of a call that a person waits for. ms. */
const interactive = 2_500

/** Accepts Slack's deliveries, stores them and wakes workers. Has no platform key and never calls the platform. */
export async function startBot(config: Config, log: ProcessLog, time: Time, die: (error: Error) => void, meter: Meter) {
  const { slack } = config
  const { clock } = time
  if (slack.mode === null) throw new Error('A bot needs SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET and PORT.')
  const door = await openDoor('bot', config, log, time, meter)
  const { gateways, identity, storage, web } = door
  const { logger } = web
  const botToken = slack.botToken.reveal()
  const isWell = async () => (await storage()) === null
  const receiver =
    slack.mode.kind === 'socket'
      ? createSocketReceiver({ ...web, appToken: slack.mode.appToken.reveal(), onFatal: die })
      : createHttpReceiver({
          signingSecret: slack.mode.signingSecret.reveal(),
          port: slack.mode.port,
          logger,
          clock,
          meter,
          isWell,
        })
  const app = new App({
    receiver,
    logger,
    // Unused, and it would add a tenth to the cost of each command.
    convoStore: false,
    attachFunctionToken: false,
    ignoreSelf: false,
    // So that no delivery waits for `auth.test`.
    authorize: async () => ({ botToken, botId: identity.botId, botUserId: identity.botUserId }),
    clientOptions: clientOptions({ ...web, timeoutMs: interactive }),
  })
  app.error(async (error) => logger.error('A listener failed:', error))
  const hasPolicy = config.policySource !== null
  listen(app, { gateways, commands, clock, log, isSlacks: slacksOwn(slack.apiUrl), hasPolicy })
  await app.start()
  door.watch()
  meter.probe('slack', tokenProbe(door.client, clock))
  meter.probe('slack', () => (receiver.isUp() ? null : 'No delivery of Slack can reach this process.'))

  return {
    async stop() {
      await app.stop()
      await door.close()
    },
  }
}
