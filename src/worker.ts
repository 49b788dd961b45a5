import { setTimeout as wait } from 'node:timers/promises'
import type { Time } from './clock.ts'
import { livePolicy } from './config/live-policy.ts'
import type { Config } from './config.ts'
import { Newer } from './domain/formats.ts'
import { buildHouse } from './house.ts'
import { advance } from './lifecycle/advance.ts'
import { type Anchors, anchor, anchorEvery, recall } from './lifecycle/anchor.ts'
import { followUpIdle } from './lifecycle/idling-asked.ts'
import { inspect, inspectEvery } from './lifecycle/inspect.ts'
import { watchData, watchEvery } from './lifecycle/lockdown.ts'
import type { House } from './lifecycle/ports.ts'
import { pricesEvery, refreshPrices } from './lifecycle/prices.ts'
import type { Nearby } from './lifecycle/receive.ts'
import { refresh, refreshEvery } from './lifecycle/refresh.ts'
import { type Reports, reportEvery, weeklyReport } from './lifecycle/report.ts'
import { roomEvery, watchRoom } from './lifecycle/room.ts'
import { countEvery, countStrangers } from './lifecycle/strangers.ts'
import { sweep } from './lifecycle/sweep.ts'
import { tick } from './lifecycle/tick.ts'
import { mendEvery, watchdog, watchdogEvery } from './lifecycle/watchdog.ts'
import { watchEvery as lookEvery, watchAll } from './lifecycle/watching.ts'
import { type Log, workingOn } from './log.ts'
import { createTicks } from './queue/ticks.ts'
import { createWorkers } from './queue/worker.ts'
import { type Round, type Rounds, startRounds } from './rounds.ts'
import { createAnnouncer } from './slack/announce.ts'
import { createClient, slackLogger } from './slack/client.ts'
import { announceUnknown, unknownGroups } from './slack/group-check.ts'
import { standOn } from './start.ts'
import { beat } from './store/heartbeat.ts'
import { keysOf, tagOf } from './store/keys.ts'
import { connectWorker } from './store/redis.ts'
import { alarmIn } from './store/room.ts'
import { createTicked } from './store/ticked.ts'
import { reportsIn, turnToInspect, turnToList, turnToPrice } from './store/turns.ts'

/** How often every worker looks for what should have been done by now, ms. */
const sweepEvery = 5_000

/** The workers of this process, by project: for the doors of the same one. */
export type Hands = Map<string, Nearby>

/**
 * Does what was asked: calls the platform, shows it in Slack. Any number may run; none holds state. While it runs it
 * stands in `hands`.
 */
export async function startWorker(
  config: Config,
  log: Log,
  time: Time,
  hands: Hands = new Map(),
): Promise<{ stop(): Promise<void> }> {
  const { clock } = time
  const logger = slackLogger(log)
  const redis = connectWorker(config.redisUrl.reveal(), log)
  const client = createClient(config.slack.botToken.reveal(), {
    apiUrl: config.slack.apiUrl,
    logger,
    timeoutMs: 10_000,
  })
  const { identity: home, skew, room } = await standOn(config, redis, client, log)

  const announce = createAnnouncer({ client, operationsChannel: () => policy.operationsChannel(), log })
  const policy = livePolicy(config, {
    log,
    onTaken: () => void announceUnknown(client, policy.groups(), announce),
    onMended: (version) => void announce(`The policy file has no mistake any more: version ${version} holds.`),
    onRefused: (mistakes) =>
      void announce(`The policy file has changed, and the change is not taken over:\n${mistakes.join('\n')}`),
  })
  const rounds: Round[] = []
  /** Those that need not wait for their first time. */
  const first: Round[] = []
  let started: Rounds | undefined
  const parts = await Promise.all(
    config.projects.map(async (project) => {
      const tag = tagOf(config.prefix, project.name)
      const keys = keysOf(tag)
      const ticked = createTicked(redis, keys)
      async function lookThrough(): Promise<boolean> {
        const looked = await lookAtAll().catch(leftToNewer)
        if (looked) await ticked.note()
        return looked
      }
      async function lookAtAll(): Promise<boolean> {
        const { looked, at } = await tick(house)
        if (at !== undefined) await followUpIdle(house, at)
        return looked
      }
      function leftToNewer(error: unknown): false {
        if (!(error instanceof Newer)) throw error
        house.left.note('the rules', error)
        return false
      }
      // Whoever has the turn may have read the rules before they changed.
      async function lookNow(): Promise<void> {
        if (!(await lookThrough())) await ticks.ring()
      }
      const look: Round = { run: lookNow, eager: true, trouble: 'a look at the rules failed' }
      // A worker may have something done before all of them are there.
      const soon = (): void => started?.soon(look)
      const ground = { config, project, policy, redis, client, home, skew: skew.ms, clock, log, soon }
      const { house, anchors, strangers, prune, close } = buildHouse(ground)
      await recall(house, anchors)
      const ticks = await createTicks(redis, tag, log, lookThrough)
      const trouble = 'nobody could see whether the rules are looked through'
      rounds.push(look, { run: watchdog(house, ticked, lookThrough), every: watchdogEvery, trouble })
      rounds.push({ run: () => ticks.mend(), every: mendEvery, trouble: 'the chain of ticks could not be looked at' })
      rounds.push(...roundsOf(house, anchors, reportsIn(redis, keys), () => turnToList(redis, keys)))
      rounds.push({
        run: () => inspect(house, () => turnToInspect(redis, keys), prune),
        every: inspectEvery,
        trouble: 'the audit could not be looked through',
      })
      rounds.push({
        run: () => countStrangers(house, strangers),
        every: countEvery,
        trouble: 'what people without any role have sent could not be told in the audit',
      })
      const full: Round = {
        run: () => watchRoom(house, room.share(), alarmIn(redis, keys)),
        every: roomEvery,
        trouble: 'nobody could see whether Redis is nearly full',
      }
      const prices: Round = {
        run: () => refreshPrices(house, () => turnToPrice(redis, keys)),
        every: pricesEvery,
        trouble: 'the prices of the platform could not be read',
      }
      rounds.push(prices, full)
      first.push(prices, full)
      const workers = createWorkers(redis, tag, {
        advance: (id, lease) => workingOn(id, () => advance(house, id, lease)),
        clock,
        log,
      })
      const silence = await beat(redis, keys, {
        role: 'worker',
        policy: () => policy.version(),
        left: house.left.says,
      })
      hands.set(project.name, workers.offer)
      return async () => {
        hands.delete(project.name)
        silence()
        await Promise.all([ticks.close(), workers.close()])
        await close()
      }
    }),
  )
  const groups: Round = {
    run: async () => {
      const says = await unknownGroups(client, policy.groups())
      if (says.length > 0) log.warn({ says }, 'the policy names user groups that Slack does not know')
    },
    every: 3_600_000,
    trouble: 'the user groups of the policy could not be looked up',
  }
  rounds.push(groups)
  first.push(groups)
  started = startRounds(rounds, (listener) => time.onMove(listener), log)
  for (const round of first) started.soon(round)
  time.onMove(() => void policy.look())
  async function close(): Promise<void> {
    await policy.stop()
    await started?.stop()
    await Promise.all(parts.map((end) => end()))
  }

  return {
    async stop() {
      // Whatever waits for Redis would wait until it is back: nothing of it is lost, since nothing of it was sent.
      const isAway = redis.status !== 'ready'
      if (isAway) redis.disconnect()
      const closed = close()
      // The queue's own close may wait for a connection that is gone.
      await (isAway ? Promise.race([closed.catch(() => undefined), wait(2_000, undefined, { ref: false })]) : closed)
      skew.stop()
      room.stop()
      redis.disconnect()
    },
  }
}

/** What a worker does by the clock for one project. */
function roundsOf(
  house: House,
  anchors: Anchors,
  reports: Reports,
  turnToList: () => Promise<boolean>,
): readonly Round[] {
  return [
    {
      run: () => sweep(house, (id) => workingOn(id, () => advance(house, id))),
      every: sweepEvery,
      eager: true,
      trouble: 'a sweep failed',
    },
    {
      run: () => refresh(house, turnToList),
      every: refreshEvery,
      eager: true,
      trouble: 'the list of endpoints could not be kept fresh',
    },
    { run: () => watchAll(house), every: lookEvery, eager: true, trouble: 'the endpoints could not be looked at' },
    {
      run: () => weeklyReport(house, reports),
      every: reportEvery,
      eager: true,
      trouble: 'the weekly report could not be told',
    },
    { run: () => watchData(house), every: watchEvery, trouble: 'Redis could not be asked whether all is there' },
    {
      run: () => anchor(house, anchors),
      every: anchorEvery,
      eager: true,
      trouble: 'the head of the audit could not be noted',
    },
  ]
}
