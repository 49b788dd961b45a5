import type { Redis } from 'ioredis'
import { createWorkers, type Workers } from './adapters/queue/jobs.ts'
import { connectWorker } from './adapters/redis/connection/connect.ts'
import { type MemoryUse, roomEvery, watchRoom, writeProbe } from './adapters/redis/connection/health.ts'
import { startHeartbeat } from './adapters/redis/connection/heartbeat.ts'
import { type Keys, keysOf, tagOf } from './adapters/redis/connection/keys.ts'
import {
  createRuleClock,
  createTickMark,
  isNews,
  reportsIn,
  tickedCheck,
  turnAt,
  verifiedIn,
} from './adapters/redis/connection/leader-turns.ts'
import { createAnnouncer } from './adapters/slack/delivery/announce.ts'
import { announceUnknown, unknownGroups } from './adapters/slack/web/checks.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import { livePolicy } from './config/policy-file/live.ts'
import { inEnglish } from './config/policy-file/read.ts'
import { Newer } from './core/model/formats.ts'
import type { Check } from './core/model/query-answer.ts'
import { say, type Words } from './core/model/words.ts'
import { type Meter, sparingly } from './core/ports/meter.ts'
import { keyWatch } from './core/ports/platform.ts'
import { refresh, refreshEvery } from './core/requests/find-endpoint.ts'
import { asText } from './core/words/render.ts'
import { deliverEvents } from './features/events/deliver.ts'
import {
  anchor,
  anchorEvery,
  countEvery,
  countStrangers,
  inspect,
  inspectEvery,
  recall,
} from './features/history/audit-rounds.ts'
import { followUpIdle } from './features/idle/follow-up.ts'
import { idleWatchEvery, watchAll } from './features/idle/watch-endpoints.ts'
import { lockdownWatchEvery, watchData } from './features/safeguards/lockdown.ts'
import { pricesEvery, refreshPrices } from './features/savings/prices.ts'
import { reportEvery, weeklyReport } from './features/savings/query.ts'
import { tick } from './features/schedules/tick.ts'
import { advance, sweep } from './lifecycle/advance.ts'
import { type ProcessLog, workingOn } from './log.ts'
import { buildServices } from './project.ts'
import { waitForServices } from './start.ts'

/** How often each worker sweeps for late requests. ms. */
const sweepEvery = 5_000

/** Carries out requests and shows them in Slack. Any number of workers may run; none holds state. */
export async function startWorker(config: Config, log: ProcessLog, time: Time, meter: Meter) {
  const { clock } = time
  const redis = connectWorker(config.redisUrl.reveal(), log)
  const { client, identity: home, skew, room, end } = await waitForServices(config, redis, log, meter)

  const announce = createAnnouncer({
    client,
    place: () => policy.operationsChannel(),
    language: () => policy.language(),
    log,
  })
  /** Announces what no other worker has announced already. */
  async function announceNews(of: 'policy' | 'groups', says: readonly Words[]): Promise<void> {
    if (await isNews(redis, config.prefix, of, [policy.version(), says]).catch(() => true)) await announce(says)
  }
  const policy = livePolicy(config, {
    log,
    onTaken: () => void announceUnknown(client, policy.groups(), (says) => announceNews('groups', says)),
    onMended: (version) => void announceNews('policy', [say('policyFile.mended', { version })]),
    onRefused: (mistakes) => void announceNews('policy', [say('policyFile.refused'), ...mistakes]),
  })
  let started: ReturnType<typeof startRounds> | undefined
  const parts = await Promise.all(
    config.projects.map(async (project) => {
      const tag = tagOf(config.prefix, project.name)
      const keys = keysOf(tag)
      const ticked = createTickMark(redis, keys)
      async function checkRules(): Promise<boolean> {
        const began = clock.monotonic()
        try {
          const { looked, at } = await tick(services)
          if (at !== undefined) await followUpIdle(services, at)
          if (looked) await ticked.note(clock.monotonic() - began)
          return looked
        } catch (error) {
          if (!(error instanceof Newer)) throw error
          services.left.note('the rules', error)
          return false
        }
      }
      const round = roundFor(project.name)
      const rules = round('checking the rules failed', null, 'eager', () => ruleClock.checkNow())
      // A project may call this before all projects have started.
      const soon = (): void => started?.soon(rules)
      let workers: Workers | undefined
      const built = buildServices({
        config,
        project,
        policy,
        redis,
        client,
        home,
        skew: skew.ms,
        clock,
        log,
        meter,
        soon,
        again: (id, ms) => workers?.again(id, ms),
      })
      const { services, anchors, queue } = built
      await recall(services, anchors)
      const ruleClock = createRuleClock(services, ticked, checkRules)
      const minutes = round('checking the rules of this minute failed', 1_000, 'later', ruleClock.checkIfDue)
      const work = (id: string) => workingOn(id, () => advance(services, id))
      workers = createWorkers(redis, tag, work, log)
      const pulse = { role: 'worker', policy: () => policy.version(), left: services.left.says } as const
      const endBeat = await startHeartbeat(redis, keys, pulse)
      const key = keyWatch(services.platform, clock)
      const whyNot = ({ well, says }: Check) => (well ? null : `${project.name}: ${asText(says, 'en')}`)
      meter.probe('storage', writeProbe(redis, keys))
      meter.probe('key', async () => whyNot(await key()))
      meter.project({
        project: project.name,
        policyVersion: policy.version,
        depths: queue.depths,
        tickedAgo: ticked.ago,
        worker: { services, verifiedAt: verifiedIn(redis, keys).at },
      })
      meter.probe('rules', async () => whyNot(tickedCheck(await ticked.ago())))
      return {
        rounds: [rules, minutes, ...roundsOf(built, work, redis, keys, room)],
        close: async () => {
          await Promise.all([endBeat(), workers?.close()])
          await built.close()
        },
      }
    }),
  )
  async function checkGroups(): Promise<void> {
    const says = inEnglish(await unknownGroups(client, policy.groups()))
    if (says.length > 0) log.warn({ says }, 'the policy names user groups that do not exist in Slack')
  }
  const groups = roundFor(undefined)('could not look up the user groups of the policy', 3_600_000, 'first', checkGroups)
  const rounds = startRounds([...parts.flatMap((part) => part.rounds), groups], time, log)
  started = rounds
  time.onMove(() => void policy.look())
  async function close(): Promise<void> {
    await policy.stop()
    await rounds.stop()
    await Promise.all(parts.map((part) => part.close()))
  }

  return {
    async stop() {
      // Commands that wait for a lost Redis were never sent, so dropping them loses nothing.
      if (redis.status !== 'ready') redis.disconnect()
      await end(close())
    },
  }
}

/** A project's periodic work, except the check of its rules. */
function roundsOf(
  { services, events, anchors, strangers, renew, prune, witness }: ReturnType<typeof buildServices>,
  work: (id: string) => Promise<void>,
  redis: Redis,
  keys: Keys,
  room: MemoryUse,
): readonly Round[] {
  const round = roundFor(services.project)
  const reports = reportsIn(redis, keys)
  const verified = () => verifiedIn(redis, keys).note(services.clock.now())
  const inspection = () => inspect(services, turnAt(redis, keys, 'audit').take, { renew, prune, witness, verified })
  const prices = () => refreshPrices(services, turnAt(redis, keys, 'prices'))
  const memory = () => watchRoom(services, room.share(), redis, keys)
  return [
    round('sweeping late requests failed', sweepEvery, 'eager', () => sweep(services, work)),
    round('could not deliver events', sweepEvery, 'eager', () => deliverEvents(services, events)),
    round('could not refresh the list of endpoints', refreshEvery, 'eager', () =>
      refresh(services, turnAt(redis, keys, 'names').take),
    ),
    round('could not check whether endpoints are used', idleWatchEvery, 'eager', () => watchAll(services)),
    round('could not post the weekly report', reportEvery, 'eager', () => weeklyReport(services, reports)),
    round('could not store the audit checkpoint', anchorEvery, 'eager', () => anchor(services, anchors)),
    round('could not check Redis for lost data', lockdownWatchEvery, 'later', () => watchData(services)),
    round('could not verify the audit', inspectEvery, 'later', inspection),
    round('could not write the requests of people without a role to the audit', countEvery, 'later', () =>
      countStrangers(services, strangers),
    ),
    round('could not read the prices of the platform', pricesEvery, 'first', prices),
    round('could not check the memory of Redis', roomEvery, 'first', memory),
  ]
}

interface Round {
  /** Undefined for all projects. */
  readonly project: string | undefined
  /** Logged when a round fails. The next round tries again. */
  readonly trouble: string
  /** Real time between rounds, ms; null: only on request. */
  readonly every: number | null
  /** `first`: also at startup; `eager`: also at startup, and when the sandbox moves the clock into its next period. */
  readonly when: 'later' | 'first' | 'eager'
  readonly run: () => Promise<unknown>
}

export function roundFor(project: Round['project']) {
  return (trouble: string, every: Round['every'], when: Round['when'], run: Round['run']): Round => {
    return { project, trouble, every, when, run }
  }
}

/** Runs each round at its times, one run at a time. */
export function startRounds(rounds: readonly Round[], time: Time, log: Pick<ProcessLog, 'warn'>) {
  const running = new Map<Round, Promise<unknown>>()
  const again = new Set<Round>()
  const logged = new Set<string>()
  const warn = sparingly(log)
  let stopped = false

  /** Logs data of a newer version only once, because this process will never be able to read it. */
  function report({ project, trouble }: Round, err: unknown): void {
    const why = err instanceof Newer ? err.message : undefined
    const kind = `${project} ${trouble}`
    const line = `${kind}: ${why}`
    if (why === undefined) warn(kind, { project, err }, trouble)
    else if (!logged.has(line)) log.warn({ project, why }, trouble)
    logged.add(line)
  }

  /** Runs a round now, or again after the run that is under way. Resolves when it has run. */
  function begin(round: Round): Promise<unknown> {
    if (stopped) return Promise.resolve()
    const before = running.get(round)
    if (before !== undefined) {
      again.add(round)
      return before
    }
    const run = carryOut(round)
    running.set(round, run)
    return run
  }

  async function carryOut(round: Round): Promise<void> {
    try {
      await round.run()
    } catch (err) {
      report(round, err)
    }
    running.delete(round)
    if (again.delete(round)) await begin(round)
  }

  const timers = rounds.flatMap((round) =>
    round.every === null ? [] : [setInterval(() => void begin(round), round.every)],
  )
  const eager = rounds.filter(({ when }) => when === 'eager')
  /** A round that runs only on request has a period of a minute, like the rules that it checks. */
  const periodOf = ({ every }: Round) => Math.floor(time.clock.now() / (every ?? 60_000))
  const periods = new Map<Round, number>()
  /** `moved`: by how many ms the clock was moved; 0 begins all. */
  function beginEager(moved: number): void {
    const due = eager.filter((round) => moved === 0 || periods.get(round) !== periodOf(round))
    for (const round of due) periods.set(round, periodOf(round))
    time.doneHere(Promise.all(due.map(begin)))
  }
  beginEager(0)
  for (const one of rounds.filter(({ when }) => when === 'first')) void begin(one)
  time.onMove(beginEager)
  return {
    soon: (one: Round) => void begin(one),
    /** Resolves when the rounds under way have finished. */
    async stop() {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}
