import { setTimeout as wait } from 'node:timers/promises'
import { createTicks } from './adapters/queue/ticks.ts'
import { createWorkers } from './adapters/queue/worker.ts'
import { connectWorker } from './adapters/redis/connection/connect.ts'
import { beat, createTicked } from './adapters/redis/connection/health.ts'
import { keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import { reportsIn, turnToInspect, turnToList, turnToPrice } from './adapters/redis/connection/leader-turns.ts'
import { alarmIn } from './adapters/redis/connection/memory.ts'
import { createAnnouncer } from './adapters/slack/delivery/announce.ts'
import { announceUnknown, unknownGroups } from './adapters/slack/web/checks.ts'
import { createClient, slackLogger } from './adapters/slack/web/client.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import { livePolicy } from './config/policy-file/live.ts'
import { Newer } from './core/model/formats.ts'
import type { Anchors } from './core/ports/audit.ts'
import type { Reports } from './core/ports/request-store.ts'
import type { House } from './core/ports/services.ts'
import type { Nearby } from './core/requests/receive.ts'
import { anchor, anchorEvery, recall } from './features/history/anchor.ts'
import { inspect, inspectEvery } from './features/history/daily-inspection.ts'
import { countEvery, countStrangers } from './features/history/strangers.ts'
import { followUpIdle } from './features/idle/follow-up.ts'
import { watchEvery as lookEvery, watchAll } from './features/idle/watch-endpoints.ts'
import { watchData, watchEvery } from './features/safeguards/lockdown.ts'
import { pricesEvery, refreshPrices } from './features/savings/prices.ts'
import { reportEvery, weeklyReport } from './features/savings/weekly-report.ts'
import { tick } from './features/schedules/tick.ts'
import { advance } from './lifecycle/advance.ts'
import { roomEvery, watchRoom } from './lifecycle/redis-memory.ts'
import { refresh, refreshEvery } from './lifecycle/refresh-list.ts'
import { sweep } from './lifecycle/sweep.ts'
import { mendEvery, watchdog, watchdogEvery } from './lifecycle/watchdog.ts'
import { type Log, workingOn } from './log.ts'
import { buildHouse } from './project.ts'
import { standOn } from './start.ts'

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

/** Something a process does by the clock. */
interface Round {
  /** What is logged when it fails; it is tried again the next time. */
  readonly trouble: string
  /** ms, of real time; left out: only when asked for. */
  readonly every?: number
  /** Also when the sandbox has moved time, and once at the start. */
  readonly eager?: boolean
  run(): Promise<unknown>
}

interface Rounds {
  /** Runs a round as soon as it is not running any more. */
  soon(round: Round): void
  /** None of what has begun goes on after this. */
  stop(): Promise<void>
}

/** Runs each round at its times, never beside itself. */
function startRounds(rounds: readonly Round[], onMove: (listener: () => void) => void, log: Log): Rounds {
  const running = new Map<Round, Promise<void>>()
  const again = new Set<Round>()
  const told = new Set<string>()
  let over = false

  /** What only a newer process can read stays so, so it is said once. */
  function tell({ trouble }: Round, err: unknown): void {
    if (!(err instanceof Newer)) {
      log.warn({ err }, trouble)
      return
    }
    const why = err.message
    if (told.has(`${trouble}: ${why}`)) return
    told.add(`${trouble}: ${why}`)
    log.warn({ why }, trouble)
  }

  function begin(round: Round): void {
    if (over) return
    if (running.has(round)) return void again.add(round)
    const one = round
      .run()
      .then(
        () => undefined,
        (err: unknown) => tell(round, err),
      )
      .finally(() => {
        running.delete(round)
        if (again.delete(round)) begin(round)
      })
    running.set(round, one)
  }

  const timers = rounds.flatMap((round) =>
    round.every === undefined ? [] : [setInterval(() => begin(round), round.every)],
  )
  for (const round of rounds) if (round.eager === true) begin(round)
  onMove(() => {
    for (const round of rounds) if (round.eager === true) begin(round)
  })
  return {
    soon: begin,
    async stop() {
      over = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}
