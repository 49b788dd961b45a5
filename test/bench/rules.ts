import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { tick } from '../../src/features/schedules/tick.ts'
import type { Goal } from './goals.ts'
import { startAssistant } from './program.ts'
import type { Looks, LookTimes } from './rules-looks.ts'
import { perEndpoint, type RulesWorld, rulesWorld } from './rules-world.ts'
import type { Setting } from './setting.ts'
import { medianOf } from './statistics.ts'
import type { Section } from './table.ts'

/** Numbers of endpoints, and the CPU time that a check of their rules may take, ms. */
const bars = [
  { count: 10_000, rules: '10,000 endpoints with 3 rules each', barMs: 150 },
  { count: 33_334, rules: '100,000 rules', barMs: 1_500 },
]
/** Each check belongs to a minute, and no two processes check the same minute. */
const minutesARound = 8

/**
 * Measures a check of very many rules when nothing has to be done, with all its Redis reads but without listing
 * endpoints. Each round starts a process and measures its first check, later ones, and those after another process has
 * changed a record.
 */
export async function measureRules(setting: Setting, rounds: number): Promise<Section> {
  const variants: Record<string, Record<string, readonly number[]>> = {}
  for (const { count } of bars) variants[nameOf(count)] = await measure(setting, count, rounds)
  return {
    title: 'One look at all rules, without the time of the platform',
    measures: [
      { key: 'firstMs', heading: 'after a start, CPU ms', digits: 0 },
      { key: 'cpuMs', heading: 'then, CPU ms', digits: 0 },
      { key: 'wallMs', heading: 'ms', digits: 0 },
      { key: 'changedMs', heading: 'after a record changed, CPU ms', digits: 0 },
      { key: 'ruleBytes', heading: 'Redis bytes a rule', digits: 0 },
      { key: 'reconcileBytes', heading: 'and an endpoint', digits: 0 },
    ],
    variants,
  }
}

/** Returns the goals as fractions of the allowed time, also for the checks that have more to read. */
export function goalsOfRules(section: Section | undefined): readonly Goal[] {
  return bars
    .flatMap(({ count, rules, barMs }) => {
      const part = (key: string) => medianOf(section?.variants[nameOf(count)]?.[key] ?? []) / barMs
      return [
        { goal: `a look at ${rules}, of ${barMs} ms CPU`, seen: part('cpuMs') },
        { goal: 'the same after another process changed a record', seen: part('changedMs') },
        { goal: 'the same as the very first of a process', seen: part('firstMs') },
      ]
    })
    .filter(({ seen }) => !Number.isNaN(seen))
    .map((goal) => ({ ...goal, limit: 1, met: goal.seen <= 1 }))
}

async function measure(
  { redisUrl }: Setting,
  count: number,
  rounds: number,
): Promise<Record<string, readonly number[]>> {
  const redis = new Redis(redisUrl)
  const world = rulesWorld(count)
  const all: LookTimes[] = []
  try {
    await settle(redis, world, count)
    for (let round = 0; round < rounds; round++)
      all.push(await looksOf({ redisUrl, count, minutes: 1 + round * minutesARound }))
    const bytes = async (key: string) => Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'))
    return {
      firstMs: all.flatMap(({ firstMs }) => firstMs),
      cpuMs: all.flatMap(({ cpuMs }) => cpuMs),
      wallMs: all.flatMap(({ wallMs }) => wallMs),
      changedMs: all.flatMap(({ changedMs }) => changedMs),
      ruleBytes: [(await bytes(world.keys.records)) / world.rules.length],
      reconcileBytes: [(await bytes(world.keys.reconcileStates)) / count],
    }
  } finally {
    redis.disconnect()
  }
}

/** Stores the rules and runs the first check, whose reconcile states stay in Redis. */
async function settle(redis: Redis, world: RulesWorld, count: number): Promise<void> {
  const store = world.store(redis)
  for (let from = 0; from < world.rules.length; from += 1_000)
    await store.write({ put: world.rules.slice(from, from + 1_000) }, [])
  world.makeList()
  await tick(world.services(store))
  if ((await redis.hlen(world.keys.reconcileStates)) < count) throw new Error('Not every endpoint is pursued.')
}

async function looksOf(looks: Looks): Promise<LookTimes> {
  const process = await startAssistant(fileURLToPath(new URL('./rules-looks.ts', import.meta.url)))
  try {
    return await process.ask<LookTimes>(looks)
  } finally {
    await process.stop()
  }
}

function nameOf(count: number): string {
  return `${count.toLocaleString('en')} endpoints × ${perEndpoint} rules`
}
