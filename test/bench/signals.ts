import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { sampleOf } from '../../src/adapters/metrics/sample.ts'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import type { Reading, ReadingState, Segment } from '../../src/core/model/reading.ts'
import { withReading } from '../../src/features/idle/idle-clock.ts'
import { page } from '../adapters/metrics/fixtures.ts'
import type { Goal } from './goals.ts'
import { measuredCoreTime, processorTimeOf } from './machine.ts'
import type { Wanted } from './many-world.ts'
import { startAssistant, startProgram } from './program.ts'
import { environmentOf, type Setting } from './setting.ts'
import { medianOf } from './statistics.ts'
import type { Section } from './table.ts'
import type { World } from './world.ts'

const active = 1_000
/** One in three endpoints of that world is active. */
const listed = 3 * active
const minute = 60_000

// Endpoints without a rule are first read twenty a minute, so all get one. Nothing is idle for so long.
const policy = `projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    endpoints: [{ match: ["*"], idle: 7d }]
    signals: { allow_private: true }
    roles:
      viewer: [everyone]
`

/** Measures what usage readings of 1,000 endpoints cost: a worker's CPU per minute, parser throughput, Redis memory. */
export async function measureSignals(setting: Setting, rounds: number): Promise<Section> {
  const worker = await lookedAt(setting)
  return {
    title: `The use of ${active.toLocaleString('en')} endpoints on loopback`,
    measures: [
      { key: 'cores', heading: 'cores', digits: 3 },
      { key: 'perEndpointMs', heading: 'CPU ms a look', digits: 2 },
      { key: 'mbPerS', heading: 'MB/s', digits: 0, compared: true },
      { key: 'bytes', heading: 'Redis bytes', digits: 0 },
      { key: 'foreign', heading: 'foreign', digits: 2, worst: true },
    ],
    variants: {
      'plain split of a page': { mbPerS: perSecond(rounds, (text) => text.split('\n').length) },
      'parser of a page': { mbPerS: perSecond(rounds, (text) => sampleOf(text)?.open ?? 0) },
      'a worker with all of them': worker.used,
      'an endpoint, just found': { bytes: [worker.bytes] },
      'an endpoint and a day of readings': { bytes: [dayOf(60)] },
      'an endpoint that changes all day': { bytes: [dayOf(15)] },
    },
  }
}

/** Returns the goals as fractions of what is allowed. */
export function goalsOfSignals(section: Section | undefined): readonly Goal[] {
  const seen = medianOf(section?.variants['a worker with all of them']?.['cores'] ?? []) / 0.1
  if (Number.isNaN(seen)) return []
  return [{ goal: 'looking at 1,000 endpoints a minute, of a tenth of a core', seen, limit: 1, met: seen <= 1 }]
}

/** Measures a worker for a minute, beginning once it has read all endpoints. */
async function lookedAt(setting: Setting) {
  const world = await startAssistant(fileURLToPath(new URL('./many-world.ts', import.meta.url)))
  const directory = await mkdtemp(join(tmpdir(), 'lamplighter-bench-'))
  const redis = new Redis(setting.redisUrl)
  const prefix = 'bench-signals'
  const { readings } = keysOf(tagOf(prefix, 'default'))
  try {
    const policyFile = join(directory, 'lamplighter.yaml')
    await writeFile(policyFile, policy)
    const where = await world.ask<World>({ endpoints: listed } satisfies Wanted)
    const program = await startProgram([setting.programs.ours, 'worker'], {
      ...environmentOf(where, { ...setting, policyFile }, prefix),
    })
    try {
      const late = performance.now() + 3 * minute
      while ((await redis.hlen(readings)) < active) {
        if (performance.now() > late) throw new Error(`Not all of ${active} endpoints were looked at in time.`)
        await wait(500)
      }
      const [own, core, begin] = [processorTimeOf(program.pid), measuredCoreTime(), performance.now()]
      await wait(minute)
      const took = performance.now() - begin
      const processorMs = processorTimeOf(program.pid) - own
      const foreign = (measuredCoreTime() - core - processorMs) / took
      const lengths = await Promise.all((await redis.hkeys(readings)).map((id) => redis.hstrlen(readings, id)))
      const used = { cores: [processorMs / took], perEndpointMs: [processorMs / active], foreign: [foreign] }
      return { used, bytes: medianOf(lengths) }
    } finally {
      await program.stop()
    }
  } finally {
    redis.disconnect()
    await world.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Returns MB/s for a page as large as that of a server with many models; a new string each time, as from a socket. */
function perSecond(rounds: number, read: (text: string) => number): readonly number[] {
  const bytes = Buffer.from(page('vllm-busy').repeat(20))
  return Array.from({ length: rounds }, () => {
    let [passed, spent] = [0, 0]
    while (spent < 300) {
      const text = bytes.toString('latin1')
      const begin = performance.now()
      if (read(text) < 0) throw new Error('Nothing was read.')
      spent += performance.now() - begin
      passed += bytes.length
    }
    return passed / 1_000 / spent
  })
}

/** Returns the bytes of a day's segments if an endpoint is in use and idle for `minutes` in turn. */
function dayOf(minutes: number): number {
  const evidence = { servers: ['vLLM'], requests: 12, open: 0, replicas: 2, seen: 2, logs: 0 }
  const reading = (state: ReadingState): Reading =>
    state === 'busy'
      ? { state, why: '12 requests ended since the last check', evidence }
      : { state, why: 'no counter moved on 2 of 2 replicas', evidence }
  let segments: readonly Segment[] = []
  for (let at = 0; at < 24 * 60; at += 1) {
    const state = Math.floor(at / minutes) % 2 === 0 ? 'busy' : 'quiet'
    segments = withReading(segments, reading(state), { from: at * minute, to: (at + 1) * minute })
  }
  return JSON.stringify(segments).length
}
