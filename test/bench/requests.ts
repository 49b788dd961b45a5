import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { processorTimeOf, stepAside } from './machine.ts'
import { createSetting, type Running, type Setting } from './setting.ts'
import { medianOf, quantileOf } from './statistics.ts'
import type { Burst, BurstResult, JourneyResult, Journeys } from './world.ts'

type Counts = Readonly<Record<string, number>>

/** How many Redis commands are named; the others are summed up. */
const mostNamed = 14

/**
 * `npm run bench:requests [-- --count 1000] [--at-once 1] [--verb start|stop] [--burst 2000] [--bundle FILE] [--floor]`:
 * a bot and a worker carry `--count` requests to their ends. `--bundle` names the `dist/main.js` of another build. With
 * `--burst` all starts come at once while a person sends queries. Otherwise it prints the cost per request: CPU of bot,
 * worker and Redis, Redis commands in total and by round trip, and stored keys and bytes. Counts of commands, keys and
 * bytes are exact even on a busy machine; times are not. `--floor` also measures starts by a program that does only
 * what a start requires, without any guarantee.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000' },
      'at-once': { type: 'string', default: '1' },
      verb: { type: 'string' },
      burst: { type: 'string' },
      bundle: { type: 'string' },
      floor: { type: 'boolean', default: false },
    },
  })
  stepAside()
  if (values.burst !== undefined) process.env['BENCH_ENDPOINTS'] = values.burst
  const setting = await createSetting()
  const redis = new Redis(setting.redisUrl)
  try {
    const ours = values.bundle ?? setting.programs.ours
    const all = [
      ['start', ours],
      ...(values.floor ? [['start', setting.programs.floor] as const] : []),
      ['stop', ours],
    ] as const
    for (const [verb, program] of all) {
      if (values.verb !== undefined && values.verb !== verb) continue
      await redis.flushall()
      // The worker has a core to itself, because its requests per second are measured.
      const bot = await setting.start([program, 'bot'], verb, 'beside')
      const worker = await setting.start([program, 'worker'], verb)
      if (values.burst !== undefined) {
        await burstOf({ setting, port: bot.port, burst: Number(values.burst) })
        break
      }
      if (program !== ours) console.log('\nOf the floor:')
      const journeys = { port: bot.port, verb, atOnce: Number(values['at-once']) }
      await measure({ setting, redis, bot, worker }, { ...journeys, count: Number(values.count) })
      await Promise.all([bot.stop(), worker.stop()])
    }
  } finally {
    redis.disconnect()
    await setting.stop()
  }
}

async function burstOf({ setting, ...burst }: Burst & { readonly setting: Setting }): Promise<void> {
  await setting.world.ask<JourneyResult>({ port: burst.port, count: 2_000, atOnce: 16 } satisfies Journeys)
  await settled()
  const { tookMs, queryMs } = await setting.world.ask<BurstResult>(burst)
  console.log(`${burst.burst} starts at once: over after ${(tookMs / 1_000).toFixed(1)} s`)
  const [p50, p99] = [medianOf(queryMs), quantileOf(queryMs, 0.99)].map((ms) => ms.toFixed(0))
  console.log(`  ${queryMs.length} queries meanwhile: ${p50} ms p50, ${p99} ms p99`)
}

interface Measured {
  readonly setting: Setting
  readonly redis: Redis
  readonly bot: Running
  readonly worker: Running
}

async function measure({ setting, redis, bot, worker }: Measured, journeys: Journeys): Promise<void> {
  const { count, verb = 'start' } = journeys
  const travel = (some: number) => setting.world.ask<JourneyResult>({ ...journeys, count: some } satisfies Journeys)
  await travel(count)
  await settled()
  const before = await kept(redis)
  const times = () => [bot, worker].map(({ pid }) => processorTimeOf(pid))
  await redis.config('RESETSTAT')
  const [botBefore = 0, workerBefore = 0] = times()
  const redisBefore = await redisTime(redis)
  const begin = performance.now()
  const { endMs, ackMs } = await travel(count)
  const took = performance.now() - begin
  await wait(100)
  const [botAfter = 0, workerAfter = 0] = times()
  const redisMs = (await redisTime(redis)) - redisBefore
  const calls = await callsOf(redis)
  await settled()
  const after = await kept(redis)
  const each = (sum: number, digits = 2) => (sum / count).toFixed(digits)

  console.log(`\n${count} × ${verb}, ${journeys.atOnce} at once: ${((count / took) * 1_000).toFixed(0)} a second`)
  console.log(`  to the end ${medianOf(endMs).toFixed(1)} ms p50, ${quantileOf(endMs, 0.99).toFixed(0)} ms p99`)
  console.log(`  to the ack ${medianOf(ackMs).toFixed(1)} ms p50, ${quantileOf(ackMs, 0.99).toFixed(0)} ms p99`)
  const cpu = [workerAfter - workerBefore, botAfter - botBefore, redisMs].map((ms) => each(ms))
  console.log(`  CPU ms each: worker ${cpu[0]}, bot ${cpu[1]}, Redis ${cpu[2]}`)
  console.log(`  commands each: ${each(sumOf(calls), 1)} (${told(calls, (calls) => each(calls, 1))})`)
  const sent = await sentBy(redis, travel)
  console.log(`  of these sent by a client: ${sumOf(sent).toFixed(1)} (${told(sent, (calls) => calls.toFixed(1))})`)
  const difference = (which: 'keys' | 'bytes') =>
    Object.fromEntries(
      Object.keys(after[which]).map((kind) => [kind, (after[which][kind] ?? 0) - (before[which][kind] ?? 0)]),
    )
  const [keys, bytes] = [difference('keys'), difference('bytes')]
  console.log(`  keys kept by 1,000: ${each(sumOf(keys) * 1_000, 0)} (${told(keys, (kept) => each(kept * 1_000, 0))})`)
  console.log(`  bytes kept each: ${each(sumOf(bytes), 0)} (${told(bytes, (kept) => each(kept, 0))})`)
}

/** Waits until the pauses of channels and the like have expired. */
async function settled(): Promise<void> {
  await wait(7_000)
}

/** Returns the number of keys in Redis, and the bytes that Redis reports for them, by kind of key. */
async function kept(redis: Redis): Promise<{ readonly keys: Counts; readonly bytes: Counts }> {
  const keys: Record<string, number> = {}
  const bytes: Record<string, number> = {}
  for await (const found of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>) {
    const asking = found.reduce((all, key) => all.memory('USAGE', key, 'SAMPLES', 0), redis.pipeline())
    const sizes = (await asking.exec()) ?? []
    for (const [at, key] of found.entries()) {
      const kind = kindOf(key)
      keys[kind] = (keys[kind] ?? 0) + 1
      bytes[kind] = (bytes[kind] ?? 0) + Number(sizes[at]?.[1] ?? 0)
    }
  }
  return { keys, bytes }
}

/** Our keys look like `{tag}:request:ID`, those of queues like `{tag}:changes:ID`. */
function kindOf(key: string): string {
  return key.split('}:')[1]?.split(':', 1)[0] ?? key
}

async function callsOf(redis: Redis): Promise<Counts> {
  const stats = await redis.info('commandstats')
  const found = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name = '', calls]) => [
    name,
    Number(calls),
  ])
  return Object.fromEntries(found)
}

/** Returns the Redis commands that clients send per request, averaged over 20; those inside scripts do not count. */
async function sentBy(redis: Redis, travel: (count: number) => Promise<unknown>): Promise<Counts> {
  const some = 20
  const sent: Record<string, number> = {}
  const monitor = await redis.monitor()
  monitor.on('monitor', (_: string, [name = '', ...words]: string[], source: string) => {
    if (source === 'lua') return
    const key = name.toLowerCase() === 'evalsha' ? `evalsha ${words[0]?.slice(0, 6)}` : name.toLowerCase()
    sent[key] = (sent[key] ?? 0) + 1 / some
  })
  await travel(some)
  await wait(100)
  monitor.disconnect()
  return sent
}

/** Returns the processor time that Redis has used, ms. */
async function redisTime(redis: Redis): Promise<number> {
  const info = await redis.info('cpu')
  const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]) * 1_000
  return read('used_cpu_user') + read('used_cpu_sys')
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0)
}

/** Lists the counts, largest first. */
function told(counts: Counts, how: (count: number) => string): string {
  const largest = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  const rest = sumOf(Object.fromEntries(largest.slice(mostNamed)))
  const named = largest.slice(0, mostNamed).filter(([, count]) => how(count) !== how(0))
  return [...named.map(([name, count]) => `${name} ${how(count)}`), ...(rest > 0 ? [`others ${how(rest)}`] : [])].join(
    ', ',
  )
}

await main()
