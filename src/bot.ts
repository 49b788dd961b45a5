import { App } from '@slack/bolt'
import { createProducer, type Producer } from './adapters/queue/jobs.ts'
import { createTickMark } from './adapters/redis/caches/tick-mark.ts'
import { connectDoor } from './adapters/redis/connection/connect.ts'
import { startHeartbeat, workersProbe, writeProbe } from './adapters/redis/connection/health.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { giveBackTurnToList } from './adapters/redis/connection/leader-turns.ts'
import { isCrowded } from './adapters/redis/connection/memory.ts'
import { sealsFor } from './adapters/redis/integrity/sealed-values.ts'
import { signerFor } from './adapters/redis/integrity/sign.ts'
import { createStore, leaseMsFor } from './adapters/redis/requests/store.ts'
import { listen } from './adapters/slack/inbound/listeners.ts'
import { isDirect } from './adapters/slack/kit/text.ts'
import { createHttpReceiver } from './adapters/slack/receivers/http.ts'
import { createSocketReceiver } from './adapters/slack/receivers/socket-mode.ts'
import { clientOptions, createClient, slackLogger, slacksOwn } from './adapters/slack/web/client.ts'
import { createPeople } from './adapters/slack/web/people.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import { livePolicy } from './config/policy-file/live.ts'
import { longestAsk } from './core/model/policy.ts'
import type { Actor } from './core/model/roles.ts'
import { type Meter, unmetered } from './core/ports/meter.ts'
import type { People } from './core/ports/services.ts'
import { lookUpPerson } from './core/requests/authorize.ts'
import type { ProjectGateway } from './core/requests/gateway.ts'
import { mandatesUnder } from './features/approvals/review.ts'
import { uselessTo } from './features/approvals/stand-ins.ts'
import { commands } from './features/command-table.ts'
import { runningNow } from './features/idle/usage.ts'
import { savedIn } from './features/savings/query.ts'
import { comingWithin } from './features/schedules/preview.ts'
import { previewForm } from './lifecycle/planning/preview-form.ts'
import type { ProcessLog } from './log.ts'
import { retryUntilReady, waitForServices } from './start.ts'

/** How long sealed values outlive the longest ask, for requests that begin late. ms. */
const sealedAfter = 3_600_000
/** The most requests that one Home tab reads for the savings of a week, and ms: what answers a person must not hang. */
const [homeLimit, interactive] = [2_000, 2_500] as const

/** Accepts what Slack delivers, stores it and wakes workers. Holds no platform key and never calls the platform. */
export async function startBot(
  config: Config,
  log: ProcessLog,
  time: Time,
  onFatal: (error: Error) => void,
  meter: Meter = unmetered,
): Promise<{ stop(): Promise<void> }> {
  const { slack, prefix, projects, perMinute } = config
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
  const producers: Producer[] = []
  const gateways = projects.map(({ name }): ProjectGateway => {
    const tag = tagOf(prefix, name)
    const queue = createProducer(redis, tag)
    producers.push(queue)
    const [keys, policy] = [keysOf(tag), live.of(name)]
    const ticked = createTickMark(redis, keys)
    const tickedAgo = () => ticked.ago()
    meter.project({ project: name, policyVersion: live.version, depths: queue.depths, tickedAgo })
    const store = createStore({
      redis,
      keys,
      project: name,
      signer: signerFor(config, tag),
      commands,
      clock,
      leaseMs: leaseMsFor(config.platformTimeoutMs),
      skew: skew.ms,
      perMinute,
      isFull: () => isCrowded(room.share()),
      log,
      meter,
    })
    const people = createPeople({ client, home: identity, policy, clock, log })
    const { channelsOf, operationsChannel } = live
    const known = { commands, people, policy, store, clock, operationsChannel }
    const sealer = sealsFor(config, redis, keys, name)
    return {
      project: name,
      languageOf: async (user) => (await people.languageOf(user)) ?? policy().language,
      channels: channelsOf(name),
      isDirect,
      operationsChannel,
      queue,
      store,
      home: {
        open: store.open,
        membersOf: (role) => policy().roles[role],
        coming: () => comingWithin(known, 24 * 3_600_000),
        running: (endpoints) => runningNow(known, endpoints),
        saved: () => savedIn(known, { from: clock.now() - 7 * 24 * 3_600_000, to: clock.now() }, homeLimit),
        listAgain: () => giveBackTurnToList(redis, keys),
        async roleOf(actor, channel) {
          const standing = await lookUpPerson(known, await named(people, actor), { channel })
          if (standing === null) throw new Error(unnamed)
          return standing.role
        },
        uselessTo: async (actor, channel) =>
          uselessTo(known, await store.records(), await named(people, actor), { channel }),
        async answersOf(actor) {
          const [records, as] = [await store.records(), await named(people, actor)]
          const mandates = await mandatesUnder(known, records, as, { channel: '', chosen: true })
          if (mandates === null) throw new Error(unnamed)
          return (request) => mandates(request).kind === 'may'
        },
      },
      foresee: async (actor, line) => previewForm(known, await named(people, actor), line),
      ...(sealer !== null && {
        sealer: { seal: (of, entries) => sealer.seal(of, entries, longestAsk(policy()) + sealedAfter) },
      }),
    }
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

const unnamed = 'Slack did not say who this is.'

/** A person under the id that we store. Throws if Slack does not say who it is. */
async function named(people: People, actor: Actor): Promise<Actor> {
  const known = await people.known(actor)
  if (known === null) throw new Error(unnamed)
  return known
}
