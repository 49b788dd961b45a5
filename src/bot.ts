import { App } from '@slack/bolt'
import { connectDoor } from './adapters/redis/connection/connect.ts'
import { startHeartbeat, workersProbe, writeProbe } from './adapters/redis/connection/health.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { listen } from './adapters/slack/inbound/listeners.ts'
import { createHttpReceiver } from './adapters/slack/receivers/http.ts'
import { createSocketReceiver } from './adapters/slack/receivers/socket-mode.ts'
import { clientOptions, createClient, slackLogger, slacksOwn } from './adapters/slack/web/client.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import { livePolicy } from './config/policy-file/live.ts'
import { type Meter, unmetered } from './core/ports/meter.ts'
import { commands } from './features/command-table.ts'
import { buildGateways } from './gateways.ts'
import type { ProcessLog } from './log.ts'
import { retryUntilReady, waitForServices } from './start.ts'

/** What answers a person must not hang. ms. */
const interactive = 2_500

/** Accepts what Slack delivers, stores it and wakes workers. Holds no platform key and never calls the platform. */
export async function startBot(
  config: Config,
  log: ProcessLog,
  time: Time,
  onFatal: (error: Error) => void,
  meter: Meter = unmetered,
): Promise<{ stop(): Promise<void> }> {
  const { slack, prefix, projects } = config
  const { clock } = time
  if (slack.mode === null) throw new Error('A bot needs SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET and PORT.')
  const logger = slackLogger(log)
  const web = { apiUrl: slack.apiUrl, logger, meter, proxy: config.proxy?.reveal() }
  const redis = connectDoor(config.redisUrl.reveal(), log)
  const botToken = slack.botToken.reveal()
  const client = createClient(botToken, { ...web, timeoutMs: 10_000 })
  const { identity, skew, room, end } = await waitForServices(config, redis, client, log, meter)

  const live = livePolicy(config, { log })
  time.onMove(() => void live.look())
  const { gateways, producers } = buildGateways({
    config,
    redis,
    client,
    identity,
    skew,
    room,
    live,
    log,
    clock,
    meter,
  })
  const pulse = { role: 'bot', policy: () => live.version() } as const
  const beats = await Promise.all(
    projects.map(({ name }) =>
      retryUntilReady('Redis', () => startHeartbeat(redis, keysOf(tagOf(prefix, name)), pulse), log, meter),
    ),
  )
  const storage = writeProbe(redis, keysOf(tagOf(prefix, projects[0]?.name ?? '')))
  const isWell = async () => (await storage()) === null
  const receiver =
    slack.mode.kind === 'socket'
      ? createSocketReceiver({ ...web, appToken: slack.mode.appToken.reveal(), onFatal })
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
    // It would cost a tenth of each command for nothing.
    convoStore: false,
    attachFunctionToken: false,
    ignoreSelf: false,
    // No delivery waits for `auth.test`.
    authorize: async () => ({ botToken, botId: identity.botId, botUserId: identity.botUserId }),
    clientOptions: clientOptions({ ...web, timeoutMs: interactive }),
  })
  app.error(async (error) => logger.error('A listener failed:', error))
  const hasPolicy = config.policySource !== null
  listen(app, { gateways, commands, clock, log, isSlacks: slacksOwn(slack.apiUrl), hasPolicy })
  await app.start()
  meter.probe('storage', storage)
  for (const { name } of projects) meter.probe('workers', workersProbe(redis, keysOf(tagOf(prefix, name))))
  meter.probe('slack', () => (receiver.isUp() ? null : 'No delivery of Slack can reach this process.'))

  return {
    async stop() {
      await app.stop()
      await live.stop()
      for (const endBeat of beats) endBeat()
      await end(Promise.all(producers.map((producer) => producer.close())))
    },
  }
}
