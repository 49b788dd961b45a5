import { startApiServer } from './adapters/api/server.ts'
import { connectDoor } from './adapters/redis/connection/connect.ts'
import { startHeartbeat, workersProbe, writeProbe } from './adapters/redis/connection/health.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { linksTo } from './adapters/slack/delivery/sent-messages.ts'
import { createClient, slackLogger } from './adapters/slack/web/client.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import { livePolicy } from './config/policy-file/live.ts'
import { type Meter, unmetered } from './core/ports/meter.ts'
import { commands } from './features/command-table.ts'
import { buildGateways } from './gateways.ts'
import type { ProcessLog } from './log.ts'
import { retryUntilReady, waitForServices } from './start.ts'

/** Takes what programs propose, stores it and wakes workers. Holds no platform key and never calls the platform. */
export async function startApi(
  config: Config,
  log: ProcessLog,
  time: Time,
  meter: Meter = unmetered,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const { slack, prefix, projects, api } = config
  if (api === undefined) throw new Error('The API needs LAMPLIGHTER_API_PORT.')
  const { clock } = time
  const redis = connectDoor(config.redisUrl.reveal(), log)
  const web = { apiUrl: slack.apiUrl, logger: slackLogger(log), meter, proxy: config.proxy?.reveal() }
  const client = createClient(slack.botToken.reveal(), { ...web, timeoutMs: 10_000 })
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
  const pulse = { role: 'api', policy: () => live.version() } as const
  const beats = await Promise.all(
    projects.map(({ name }) =>
      retryUntilReady('Redis', () => startHeartbeat(redis, keysOf(tagOf(prefix, name)), pulse), log, meter),
    ),
  )
  const { signingSecret, ...place } = api
  const links = new Map(gateways.map(({ project, store }) => [project, linksTo(client, store)]))
  const server = await startApiServer({
    ...place,
    gateways,
    isFromSlack:
      signingSecret &&
      (async (headers, body) => {
        // With Bolt in it, so only for those whom Slack's own client calls.
        const { signaturesOf } = await import('./adapters/slack/receivers/verify.ts')
        return signaturesOf(signingSecret.reveal(), clock).check(headers, body) !== undefined
      }),
    commands,
    clock,
    linkTo: async (project, request) => (await links.get(project)?.(request)) ?? null,
    log,
  })
  for (const { name } of projects) meter.probe('workers', workersProbe(redis, keysOf(tagOf(prefix, name))))
  meter.probe('storage', writeProbe(redis, keysOf(tagOf(prefix, projects[0]?.name ?? ''))))
  return {
    port: server.port,
    async stop() {
      await server.stop()
      await live.stop()
      for (const endBeat of beats) endBeat()
      await end(Promise.all(producers.map((producer) => producer.close())))
    },
  }
}
