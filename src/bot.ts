import type { Time } from './clock.ts'
import type { Config } from './config.ts'
import { roleOf } from './domain/policy.ts'
import type { Nearby } from './lifecycle/receive.ts'
import { type Log, slackLogger } from './log.ts'
import { createProducer } from './queue/producer.ts'
import { createBot } from './slack/app.ts'
import { createClient, identify, slacksOwn } from './slack/client.ts'
import type { Door } from './slack/door.ts'
import { createPeople } from './slack/people.ts'
import { createHttpReceiver } from './slack/receivers/http.ts'
import { createSocketReceiver } from './slack/receivers/socket.ts'
import { keysOf, tagOf } from './store/keys.ts'
import { openRequests } from './store/open.ts'
import { checkKeeps, connectDoor, watchSkew } from './store/redis.ts'
import { createStore, leaseMsFor } from './store/requests.ts'
import { sealsFor } from './store/sealed.ts'

/**
 * The doors: takes what comes from Slack, stores it, wakes workers. Holds no platform key and calls no platform.
 * `workers` are those of this process, by project; they may come and go.
 */
export async function startBot(
  config: Config,
  log: Log,
  { clock }: Time,
  onFatal: (error: Error) => void,
  workers: ReadonlyMap<string, Nearby> = new Map(),
): Promise<{ stop(): Promise<void> }> {
  const { slack, prefix, projects } = config
  if (slack.mode === null) throw new Error('A bot needs SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET and PORT.')
  const logger = slackLogger(log)
  const redis = connectDoor(config.redisUrl.reveal())
  redis.on('error', (err) => log.warn({ err }, 'Redis cannot be reached'))
  const botToken = slack.botToken.reveal()
  const client = createClient(botToken, { apiUrl: slack.apiUrl, logger, timeoutMs: 10_000 })
  const [identity] = await Promise.all([
    identify(client),
    redis.connect().then(() => checkKeeps(redis, config.mayForget, log)),
  ])
  const skew = await watchSkew(redis, log)

  const producers = projects.map(({ name }) => createProducer(redis, tagOf(prefix, name)))
  const doors = projects.flatMap(({ name, channels, policy: { roles } }, at): Door[] => {
    const queue = producers[at]
    if (queue === undefined) return []
    const keys = keysOf(tagOf(prefix, name))
    const leaseMs = leaseMsFor(config.platformTimeoutMs)
    const people = createPeople({ client, team: identity.team, roles, clock, log })
    const sealer = sealsFor(config, redis, keys, name)
    return [
      {
        project: name,
        channels,
        queue,
        nearby: (request, stored) => workers.get(name)?.(request, stored) === true,
        store: createStore({ redis, keys, clock, leaseMs, skew: skew.ms }),
        home: {
          open: () => openRequests(redis, keys),
          async roleOf(actor, channel) {
            const [person, where] = await Promise.all([people.who(actor), people.where({ channel })])
            if (person === null || where === null) throw new Error('Slack did not say who this is.')
            return roleOf(person, where, roles)
          },
        },
        ...(config.operationsChannel !== undefined && { operationsChannel: config.operationsChannel }),
        ...(sealer !== null && { sealer }),
      },
    ]
  })
  const receiver =
    slack.mode.kind === 'socket'
      ? createSocketReceiver({
          appToken: slack.mode.appToken.reveal(),
          logger,
          onFatal,
          ...(slack.apiUrl && { apiUrl: slack.apiUrl }),
        })
      : createHttpReceiver({ signingSecret: slack.mode.signingSecret.reveal(), port: slack.mode.port, logger, clock })
  const app = createBot({
    receiver,
    botToken,
    apiUrl: slack.apiUrl,
    identity,
    logger,
    doors,
    clock,
    log,
    isSlacks: slacksOwn(slack.apiUrl),
  })
  await app.start()

  return {
    async stop() {
      await app.stop()
      await Promise.all(producers.map((producer) => producer.close()))
      skew.stop()
      redis.disconnect()
    },
  }
}
