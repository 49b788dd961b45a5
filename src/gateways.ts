import { createProducer } from './adapters/queue/jobs.ts'
import { connectDoor } from './adapters/redis/connection/connect.ts'
import { writeProbe } from './adapters/redis/connection/health.ts'
import { startHeartbeat, workersProbe } from './adapters/redis/connection/heartbeat.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { createTickMark } from './adapters/redis/connection/leader-turns.ts'
import { sealsFor } from './adapters/redis/integrity/sealed-values.ts'
import { signerFor } from './adapters/redis/integrity/sign.ts'
import { createStore, leaseMsFor } from './adapters/redis/requests/store.ts'
import { isDirect } from './adapters/slack/kit/text.ts'
import { createPeople } from './adapters/slack/web/people.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import { livePolicy } from './config/policy-file/live.ts'
import { longestAsk } from './core/model/policy.ts'
import { mostAsks } from './core/model/question.ts'
import type { Actor } from './core/model/roles.ts'
import type { Meter } from './core/ports/meter.ts'
import type { People } from './core/ports/services.ts'
import { lookUpPerson } from './core/requests/authorize.ts'
import type { ProjectGateway } from './core/requests/gateway.ts'
import { mandatesUnder } from './features/approvals/review.ts'
import { commands } from './features/command-table.ts'
import { runningNow } from './features/idle/usage.ts'
import { savedIn } from './features/savings/query.ts'
import { comingWithin } from './features/schedules/preview.ts'
import { undoableBy } from './features/undo/undo.ts'
import { previewForm } from './lifecycle/planning/preview-form.ts'
import type { ProcessLog } from './log.ts'
import { retryUntilReady, waitForServices } from './start.ts'

/** How long sealed values are kept after the last question about them can expire, for requests that begin late. ms. */
const sealedAfter = 3_600_000
/** The most requests that one Home tab reads for a week's savings. */
const homeLimit = 2_000

/** Opens what a bot and the API share, and waits for Redis and Slack. Has no platform key. Throws Misconfigured. */
export async function openDoor(role: 'bot' | 'api', config: Config, log: ProcessLog, time: Time, meter: Meter) {
  const { projects, prefix, perMinute } = config
  const { clock } = time
  const redis = connectDoor(config.redisUrl.reveal(), log, time.patience)
  const { web, client, identity, skew, room, end } = await waitForServices(config, redis, log, meter)
  const live = livePolicy(config, { log })
  time.onMove(() => void live.look())
  const doors = projects.map(({ name }) => {
    const tag = tagOf(prefix, name)
    const [keys, policy, queue] = [keysOf(tag), live.of(name), createProducer(redis, tag)]
    const tickedAgo = createTickMark(redis, keys).ago
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
      patience: time.patience,
      perMinute,
      isFull: room.isCrowded,
      log,
      meter,
    })
    const people = createPeople({ client, home: identity, policy, clock, log })
    const { channelsOf, operationsChannel } = live
    const known = { commands, people, policy, store, clock, operationsChannel }
    const sealer = sealsFor(config, redis, keys, name)
    const gateway: ProjectGateway = {
      project: name,
      languageOf: async (user) => (await people.languageOf(user)) ?? policy().language,
      zoneOf: (actor) => people.zoneOf(actor).catch(() => null),
      automation: () => policy().automation,
      namesOf: people.namesOf,
      channels: channelsOf(name),
      // If Redis doesn't say, nobody is told that there is none.
      isServed: () =>
        workersProbe(redis, keys)().then(
          (why) => why === null,
          () => true,
        ),
      isDirect,
      operationsChannel,
      queue,
      store,
      home: {
        membersOf: (role) => policy().roles[role],
        coming: (span) => comingWithin(known, span),
        running: (endpoints) => runningNow(known, endpoints),
        saved: () => savedIn(known, { from: clock.now() - 7 * 24 * 3_600_000, to: clock.now() }, homeLimit),
        async roleOf(actor, channel, sure) {
          const found = await lookUpPerson(known, await named(people, actor), { channel }, sure)
          if (found === null) throw new Error(unnamed)
          return found.role
        },
        async answersOf(actor, how) {
          const [records, as] = [await store.records(), await named(people, actor)]
          // Someone who became an approver just now gets the form of a decline.
          const options = how === undefined ? {} : { freshness: 'fresh' as const }
          const mandates = await mandatesUnder(known, records, as, { channel: '', chosen: true }, options)
          if (mandates === null) throw new Error(unnamed)
          return (request) => {
            const right = mandates(request)
            if (how === undefined) return right.kind === 'may'
            // If groups can't be read, the worker says so.
            return right.kind !== 'not' || right.unread === true
          }
        },
        undoable: async (actor) => undoableBy(known, await named(people, actor)),
      },
      foresee: async (where, line) => previewForm(known, { ...where, actor: await named(people, where.actor) }, line),
      ...(sealer !== null && {
        sealer: { seal: (of, entries) => sealer.seal(of, entries, mostAsks * longestAsk(policy()) + sealedAfter) },
      }),
    }
    return { keys, queue, gateway }
  })
  const gateways = doors.map(({ gateway }) => gateway)
  const pulse = { role, policy: () => live.version(), now: () => clock.now() } as const
  const beats = await Promise.all(
    doors.map(({ keys }) => retryUntilReady('Redis', () => startHeartbeat(redis, keys, pulse), log, meter)),
  )
  const storage = writeProbe(redis, keysOf(tagOf(prefix, projects[0]?.name ?? '')))
  return {
    gateways,
    client,
    web,
    identity,
    storage,
    watch(): void {
      meter.probe('storage', storage)
      for (const { keys } of doors) meter.probe('workers', workersProbe(redis, keys))
    },
    /** Call it when nothing comes in any more. */
    async close(): Promise<void> {
      await live.stop()
      await end(Promise.all([...beats.map((endBeat) => endBeat()), ...doors.map(({ queue }) => queue.close())]))
    },
  }
}

const unnamed = 'Slack did not say who this is.'

/** Returns a person with the id that we store. Throws if Slack does not say who it is. */
async function named(people: People, actor: Actor): Promise<Actor> {
  const known = await people.known(actor)
  if (known === null) throw new Error(unnamed)
  return known
}
