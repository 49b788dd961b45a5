import { performance } from 'node:perf_hooks'
import { Redis } from 'ioredis'
import type { Services } from '../../src/core/ports/services.ts'
import { followUpIdle } from '../../src/features/idle/follow-up.ts'
import { tick } from '../../src/features/schedules/tick.ts'
import { type RulesWorld, rulesWorld } from './rules-world.ts'

/** Asks for checks of the rules of `count` endpoints, `minutes` after the first check. */
export interface Looks {
  readonly redisUrl: string
  readonly count: number
  readonly minutes: number
}

/** ms of each check. */
export interface LookTimes {
  readonly firstMs: readonly number[]
  readonly cpuMs: readonly number[]
  readonly wallMs: readonly number[]
  readonly changedMs: readonly number[]
}

/** Checks all rules as a worker does. */
async function lookAtAll(services: Services): Promise<boolean> {
  const { looked, at } = await tick(services)
  if (at !== undefined) await followUpIdle(services, at)
  return looked
}

/** Measures the checks of a new process, in which nothing is cached and no code is warm. */
async function look({ redisUrl, count, minutes }: Looks): Promise<LookTimes> {
  const [ours, theirs] = [new Redis(redisUrl), new Redis(redisUrl)]
  const world = rulesWorld(count)
  world.minutes = minutes
  const [services, other] = [world.services(world.store(ours)), world.store(theirs)]
  const times = { firstMs: [] as number[], cpuMs: [] as number[], wallMs: [] as number[], changedMs: [] as number[] }
  try {
    await Promise.all([ours.ping(), theirs.ping()])
    times.firstMs.push((await timed(world, () => lookAtAll(services))).cpuMs)
    for (let nth = 0; nth < 3; nth++) {
      const { cpuMs, wallMs } = await timed(world, () => lookAtAll(services))
      times.cpuMs.push(cpuMs)
      times.wallMs.push(wallMs)
    }
    for (let nth = 0; nth < 3; nth++) {
      // Another worker stores a hold on one of the endpoints.
      await other.write({ put: [world.hold(minutes + nth)] }, [{ at: world.now(), what: 'kept' }])
      times.changedMs.push((await timed(world, () => lookAtAll(services))).cpuMs)
    }
    return times
  } finally {
    ours.disconnect()
    theirs.disconnect()
  }
}

async function timed(world: RulesWorld, run: () => Promise<boolean>): Promise<{ cpuMs: number; wallMs: number }> {
  world.minutes += 1
  world.makeList()
  const [begin, used] = [performance.now(), process.cpuUsage()]
  if (!(await run())) throw new Error('The rules were not looked through.')
  const { user, system } = process.cpuUsage(used)
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - begin }
}

process.on('message', (message: Looks) => {
  look(message).then(
    (times) => process.send?.(times),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.send?.({ ready: true })
