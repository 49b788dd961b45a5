import type { Time } from './clock.ts'
import { livePolicy } from './config/live-policy.ts'
import type { Config } from './config.ts'
import { buildHouse } from './house.ts'
import { advance } from './lifecycle/advance.ts'
import type { House } from './lifecycle/ports.ts'
import type { Nearby } from './lifecycle/receive.ts'
import { refresh, refreshEvery } from './lifecycle/refresh.ts'
import { sweep } from './lifecycle/sweep.ts'
import { type Log, slackLogger } from './log.ts'
import { createWorkers } from './queue/worker.ts'
import { createClient, identify } from './slack/client.ts'
import { unknownGroups } from './slack/group-check.ts'
import { beat } from './store/heartbeat.ts'
import { keysOf, tagOf } from './store/keys.ts'
import { checkKeeps, connectWorker, watchSkew } from './store/redis.ts'
import { turnToList } from './store/turns.ts'

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

  /** What timers have begun: none of it may go on after the end. */
  const begun = new Set<Promise<unknown>>()
  function begin(work: Promise<unknown>, trouble: string): void {
    const one = work.catch((err: unknown) => log.warn({ err }, trouble))
    begun.add(one)
    void one.finally(() => begun.delete(one))
  }
  function sweepAll(): void {
    for (const house of houses) begin(sweep(house), 'a sweep failed')
  }
  function refreshAll(): void {
    for (const house of houses) {
      const keys = keysOf(tagOf(config.prefix, house.project))
      begin(
        refresh(house, () => turnToList(redis, keys)),
        'the list of endpoints could not be kept fresh',
      )
    }
  }

  const policy = livePolicy(config, {
    log,
    onRefused: (mistakes) =>
      void houses[0]?.announce(
        `The policy file has changed, and the change is not taken over:\n${mistakes.join('\n')}`,
      ),
  })
  begin(
    unknownGroups(client, policy.groups()).then((says) => says.length > 0 && log.warn({ says }, 'unknown groups')),
    'the user groups of the policy could not be looked up',
  )
  const parts = await Promise.all(
    config.projects.map(async (project) => {
      const tag = tagOf(config.prefix, project.name)
      const keys = keysOf(tag)
      const { house, close } = buildHouse({ config, project, policy, redis, client, team, skew: skew.ms, clock, log })
      houses.push(house)
      const workers = createWorkers(redis, tag, log, (id) => advance(house, id))
      const silence = await beat(redis, keys)
      hands.set(project.name, workers.takeUp)
      return async () => {
        hands.delete(project.name)
        silence()
        await workers.close()
        await close()
      }
    }),
  )

  time.onMove(sweepAll)
  time.onMove(() => void policy.look())
  refreshAll()
  const timers = [setInterval(sweepAll, sweepEvery), setInterval(refreshAll, refreshEvery)]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      houses.length = 0
      await policy.stop()
      await Promise.all(begun)
      await Promise.all(parts.map((close) => close()))
      skew.stop()
      redis.disconnect()
    },
  }
}
