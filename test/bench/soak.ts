import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { memoryOf, stepAside } from './machine.ts'
import { createSetting } from './setting.ts'
import type { JourneyResult, Journeys } from './world.ts'

interface Sample {
  readonly operations: number
  /** ms since the first operation. */
  readonly ms: number
  readonly perSecond: number
  readonly heapMb: number
  readonly memoryMb: number
  readonly files: number
  readonly clients: number
  readonly keys: number
  readonly redisMb: number
}

const slices = 20
/** How long a process remembers Slack's signatures, ms. Until then each operation adds one. */
const remembered = 600_000
/** The allowed later size, as a multiple of the size at that point. */
const growth = 1.15
const heap = fileURLToPath(new URL('heap.mjs', import.meta.url))

/**
 * `npm run test:soak [-- --count 100000]`: one process, both bot and worker, carries out `--count` operations one after
 * another. Its heap, open files and Redis connections must stay as they are after the first quarter, or after the ten
 * minutes for which signatures are remembered. Requests stay in the history, so keys and Redis' memory grow and are
 * printed per thousand operations. Memory beyond the heap is printed but not judged, because V8 returns little of it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { count: { type: 'string', default: '100000' } } })
  const each = Math.max(1, Math.round(Number(values.count) / slices))
  stepAside()
  const setting = await createSetting()
  const redis = new Redis(setting.redisUrl)
  try {
    const program = await setting.start(['--expose-gc', '--import', heap, setting.programs.ours, 'all'], 'soak')
    const { pid, port } = program
    const samples: Sample[] = []
    const start = performance.now()
    for (let slice = 1; slice <= slices; slice += 1) {
      const begin = performance.now()
      await setting.world.ask<JourneyResult>({ port, count: each } satisfies Journeys)
      const took = performance.now() - begin
      const sizes = await sizesOf(pid, redis)
      const ms = performance.now() - start
      const sample = { operations: slice * each, ms, perSecond: (each / took) * 1_000, ...sizes }
      samples.push(sample)
      console.log(lineOf(sample))
    }
    await program.stop()
    judge(samples)
  } finally {
    redis.disconnect()
    await setting.stop()
  }
}

async function sizesOf(pid: number, redis: Redis): Promise<Omit<Sample, 'operations' | 'ms' | 'perSecond'>> {
  const [memory, clients, keys] = [await redis.info('memory'), await redis.info('clients'), await redis.dbsize()]
  const read = (info: string, name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
  return {
    heapMb: await heapOf(pid),
    memoryMb: memoryOf(pid),
    files: readdirSync(`/proc/${pid}/fd`).length,
    clients: read(clients, 'connected_clients'),
    keys,
    redisMb: read(memory, 'used_memory') / 2 ** 20,
  }
}

/** Returns the heap in use after a full collection, MB. */
async function heapOf(pid: number): Promise<number> {
  const file = join(tmpdir(), `lamplighter-heap-${pid}`)
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file)) await wait(20)
  const bytes = Number(await readFile(file, 'utf8'))
  await rm(file)
  return bytes / 2 ** 20
}

function lineOf({ operations, perSecond, heapMb, memoryMb, files, clients, keys, redisMb }: Sample): string {
  const memory = `heap ${heapMb.toFixed(1)} MB of ${memoryMb.toFixed(0)} MB`
  const ours = `${operations} operations · ${perSecond.toFixed(0)}/s · ${memory} · ${files} open files`
  return `${ours} · Redis: ${clients} clients, ${keys} keys, ${redisMb.toFixed(1)} MB`
}

/** Prints what grew, and sets exit code 1 if something grew that must not. */
function judge(samples: readonly Sample[]): void {
  const later = samples.slice(slices / 4 - 1)
  const plateau = later.find(({ ms }) => ms >= remembered) ?? later[0]
  const last = samples.at(-1)
  if (plateau === undefined || last === undefined) return
  const thousands = (last.operations - plateau.operations) / 1_000
  const per = (key: 'keys' | 'redisMb') => ((last[key] - plateau[key]) / thousands).toFixed(key === 'keys' ? 0 : 2)
  console.log(`For each 1,000 operations Redis keeps ${per('keys')} keys, ${per('redisMb')} MB.`)
  const grown = (['heapMb', 'files', 'clients'] as const).filter((key) => last[key] > plateau[key] * growth)
  console.log(
    grown.length === 0
      ? `Nothing else grew after ${plateau.operations} operations.`
      : `Still growing: ${grown.join(', ')}.`,
  )
  if (grown.length > 0) process.exitCode = 1
}

await main()
