import { setTimeout as wait } from 'node:timers/promises'
import { createProducer } from './adapters/queue/producer.ts'
import { connectDoor } from './adapters/redis/connection/connect.ts'
import { beat } from './adapters/redis/connection/health.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { giveBackTurnToList } from './adapters/redis/connection/leader-turns.ts'
import { sealsFor } from './adapters/redis/integrity/sealed-values.ts'
import { signerFor } from './adapters/redis/integrity/sign.ts'
import { createStore, leaseMsFor } from './adapters/redis/requests/store.ts'
import { createBot } from './adapters/slack/inbound/app.ts'
import type { Door } from './adapters/slack/projects.ts'
import { createHttpReceiver } from './adapters/slack/receivers/http.ts'
import { createSocketReceiver } from './adapters/slack/receivers/socket-mode.ts'
import { createClient, slackLogger, slacksOwn } from './adapters/slack/web/client.ts'
import { createPeople } from './adapters/slack/web/people.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import { livePolicy } from './config/policy-file/live.ts'
import { longestAsk } from './core/model/policy.ts'
import { Misconfigured } from './core/ports/services.ts'
import { standpointOf } from './core/requests/authorize.ts'
import type { Nearby } from './core/requests/receive.ts'
import { mandatesOf, uselessTo } from './features/approvals/mandates.ts'
import { commands } from './features/command-table.ts'
import { savedIn } from './features/savings/query.ts'
import { comingWithin } from './features/schedules/preview.ts'
import { foresee } from './lifecycle/planning/preview-form.ts'
import { isCrowded } from './lifecycle/redis-memory.ts'
import type { Log } from './log.ts'
import { patiently, standOn } from './start.ts'

/** Sealed values outlive the longest ask by this, for what begins late. ms. */
const sealedAfter = 3_600_000
/** Requests looked through for what a week has saved: the door has others to see to. */
const mostForHome = 2_000

/**
 * The doors: takes what comes from Slack, stores it, wakes workers. Holds no platform key and calls no platform.
 * `hands` are the workers of this process, by project; they may come and go.
 */
export async function startBot(
  config: Config,
  log: Log,
  time: Time,
  onFatal: (error: Error) => void,
  hands: ReadonlyMap<string, Nearby> = new Map(),
): Promise<{ stop(): Promise<void> }> {
  const { slack, prefix, projects, perMinute } = config
  const { clock } = time
  if (slack.mode === null) throw new Error('A bot needs SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET and PORT.')
  const logger = slackLogger(log)
  const redis = connectDoor(config.redisUrl.reveal(), log)
  const botToken = slack.botToken.reveal()
  const client = createClient(botToken, { apiUrl: slack.apiUrl, logger, timeoutMs: 10_000 })
  const { identity, skew, room } = await standOn(config, redis, client, log)

  const live = livePolicy(config, { log })
  time.onMove(() => void live.look())
  const producers = projects.map(({ name }) => createProducer(redis, tagOf(prefix, name)))
  const doors = projects.flatMap(({ name }, at): Door[] => {
    const queue = producers[at]
    if (queue === undefined) return []
    const keys = keysOf(tagOf(prefix, name))
    const leaseMs = leaseMsFor(config.platformTimeoutMs)
    const policy = live.of(name)
    const signer = signerFor(config, tagOf(prefix, name))
    const store = createStore({
      redis,
      keys,
      project: name,
      signer,
      commands,
      clock,
      leaseMs,
      skew: skew.ms,
      perMinute,
      isFull: () => isCrowded(room.share()),
      log,
    })
    const people = createPeople({ client, home: identity, policy, clock, log })
    const sealer = sealsFor(config, redis, keys, name)
    return [
      {
        project: name,
        channels: live.channelsOf(name),
        operationsChannel: live.operationsChannel,
        queue,
        nearby: (kind) => hands.get(name)?.(kind) ?? null,
        store,
        home: {
          open: store.open,
          membersOf: (role) => policy().roles[role],
          coming: () => comingWithin({ store, policy, clock }, 24 * 3_600_000),
          saved: () =>
            savedIn({ store, policy }, { from: clock.now() - 7 * 24 * 3_600_000, to: clock.now() }, mostForHome),
          listAgain: () => giveBackTurnToList(redis, keys),
          async roleOf(actor, channel) {
            const standing = await standpointOf({ people, policy }, await people.known(actor), { channel })
            if (standing === null) throw new Error('Slack did not say who this is.')
            return standing.role
          },
          uselessTo: async (actor, channel) =>
            uselessTo({ people, policy, store, clock }, await people.known(actor), { channel }),
          async answersOf(actor) {
            const mandates = await mandatesOf({ people, policy, store, clock }, await people.known(actor), {
              channel: '',
              chosen: true,
            })
            if (mandates === null) throw new Error('Slack did not say who this is.')
            return (request) => mandates(request).kind === 'may'
          },
        },
        foresee: async (actor, line) =>
          foresee(
            { commands, people, policy, store, clock, operationsChannel: live.operationsChannel },
            await people.known(actor),
            line,
          ),
        ...(sealer !== null && {
          sealer: { seal: (of, entries) => sealer.seal(of, entries, longestAsk(policy()) + sealedAfter) },
        }),
      },
    ]
  })
  const silence = await Promise.all(
    projects.map(({ name }) =>
      patiently(
        'Redis',
        () => beat(redis, keysOf(tagOf(prefix, name)), { role: 'bot', policy: () => live.version() }),
        log,
      ),
    ),
  )
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
    commands,
    clock,
    log,
    isSlacks: slacksOwn(slack.apiUrl),
  })
  try {
    await app.start()
  } catch (error) {
    throw portFault(error) ?? error
  }

  return {
    async stop() {
      await app.stop()
      await live.stop()
      for (const still of silence) still()
      const closed = Promise.all(producers.map((producer) => producer.close()))
      // The queue's own close may wait for a connection that is gone.
      const isAway = redis.status !== 'ready'
      await (isAway ? Promise.race([closed.catch(() => undefined), wait(2_000, undefined, { ref: false })]) : closed)
      skew.stop()
      room.stop()
      redis.disconnect()
    },
  }
}

function portFault(error: unknown): Misconfigured | null {
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  if (code === 'EADDRINUSE')
    return new Misconfigured(`Port ${port} is taken. End what listens there, or set another PORT.`)
  if (code === 'EACCES') return new Misconfigured(`This process may not listen on port ${port}. Set a PORT above 1023.`)
  return null
}
