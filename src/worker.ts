import { createPlatform } from './api/client.ts'
import type { Time } from './clock.ts'
import type { Config } from './config.ts'
import { advance } from './lifecycle/advance.ts'
import type { House } from './lifecycle/ports.ts'
import { sweep } from './lifecycle/sweep.ts'
import { type Log, slackLogger } from './log.ts'
import { createProducer } from './queue/producer.ts'
import { createWorkers } from './queue/worker.ts'
import { createClient, identify } from './slack/client.ts'
import { createDelivery } from './slack/delivery.ts'
import { linksTo } from './slack/links.ts'
import { createNotifier } from './slack/notifier.ts'
import { createPeople } from './slack/people.ts'
import { beat } from './store/heartbeat.ts'
import { keysOf, tagOf } from './store/keys.ts'
import { createPace } from './store/pace.ts'
import { checkKeeps, connectWorker, watchSkew } from './store/redis.ts'
import { createStore, leaseMsFor } from './store/requests.ts'
import { sealsFor } from './store/sealed.ts'

/** How often every worker looks for what should have been done by now, ms. */
const sweepEvery = 5_000

/** Does what was asked: calls the platform, shows it in Slack. Any number may run; none holds state. */
export async function startWorker(config: Config, log: Log, time: Time): Promise<{ stop(): Promise<void> }> {
  const { clock } = time
  const logger = slackLogger(log)
  const houses: House[] = []
  const redis = connectWorker(config.redisUrl.reveal())
  redis.on('error', (err) => log.warn({ err }, 'Redis cannot be reached'))
  const client = createClient(config.slack.botToken.reveal(), {
    apiUrl: config.slack.apiUrl,
    logger,
    timeoutMs: 10_000,
  })
  const [{ team }] = await Promise.all([
    identify(client),
    redis.connect().then(() => checkKeeps(redis, config.mayForget, log)),
  ])
  const skew = await watchSkew(redis, log)

  const sweeps = new Set<Promise<unknown>>()
  function sweepAll(): void {
    for (const house of houses) {
      const one = sweep(house).catch((err: unknown) => log.warn({ err }, 'a sweep failed'))
      sweeps.add(one)
      void one.finally(() => sweeps.delete(one))
    }
  }

  const parts = await Promise.all(
    config.projects.map(async (project) => {
      const tag = tagOf(config.prefix, project.name)
      const keys = keysOf(tag)
      const { house, close } = build(project, tag)
      houses.push(house)
      const workers = createWorkers(redis, tag, log, (id) => advance(house, id))
      const silence = await beat(redis, keys)
      return async () => {
        silence()
        await workers.close()
        await close()
      }
    }),
  )

  function build(project: Config['projects'][number], tag: string) {
    const keys = keysOf(tag)
    const store = createStore({ redis, keys, clock, leaseMs: leaseMsFor(config.platformTimeoutMs), skew: skew.ms })
    const queue = createProducer(redis, tag)
    if (project.baseUrl === undefined || project.apiKey === undefined)
      throw new Error(`Project ${project.name} has no platform address or key.`)
    const platform = createPlatform({
      baseUrl: project.baseUrl,
      apiKey: project.apiKey.reveal(),
      timeoutMs: config.platformTimeoutMs,
      scaleField: config.scaleField,
    })
    const notifier = createNotifier({
      delivery: createDelivery(client, { replyUrlOf: store.replyUrlOf, fetch }),
      operationsChannel: config.operationsChannel,
      pace: createPace(redis, keys, clock),
      linkTo: linksTo(client, store),
      clock,
      log,
    })
    const house: House = {
      project: project.name,
      roles: project.roles,
      ruled: config.policySource !== null,
      store,
      queue,
      seals: sealsFor(config, redis, keys, project.name),
      platform,
      people: createPeople({ client, team, roles: project.roles, clock, log }),
      notifier,
      clock,
      log,
    }
    return { house, close: async () => void (await Promise.all([queue.close(), platform.close()])) }
  }

  time.onMove(sweepAll)
  const timer = setInterval(sweepAll, sweepEvery)
  return {
    async stop() {
      clearInterval(timer)
      houses.length = 0
      await Promise.all(sweeps)
      await Promise.all(parts.map((close) => close()))
      skew.stop()
      redis.disconnect()
    },
  }
}
