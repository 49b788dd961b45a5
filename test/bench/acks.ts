import { Redis } from 'ioredis'
import { startHeartbeat } from '../../src/adapters/redis/connection/heartbeat.ts'
import { keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import type { Slice, SliceResult } from './load.ts'
import { memoryOf } from './machine.ts'
import { quietly } from './quietly.ts'
import type { Setting } from './setting.ts'
import { shuffled } from './statistics.ts'
import type { Section } from './table.ts'

const prefix = 'bench-acks'
const single = { connections: 1, ms: 1_500 }
const many = { connections: 32, ms: 2_500 }

/**
 * Measures how fast a signed command is acknowledged, alone and with 32 at a time. By then our bot has stored the
 * command and queued its job. No worker runs, so that only the intake is measured.
 */
export async function measureAcks(setting: Setting, rounds: number): Promise<Section> {
  const { programs, load, where } = setting
  const redis = new Redis(setting.redisUrl)
  // A door reports a missing worker to people, so this heartbeat pretends that one is alive.
  const silence = await startHeartbeat(redis, keysOf(tagOf(prefix, 'default')), {
    role: 'worker',
    policy: () => 'none',
  })
  const commands = {
    'bare Bolt': [programs.bare],
    'bare Bolt, again': [programs.bare],
    'Bolt + queue.add': [programs.queueing],
    Lamplighter: [programs.ours, 'bot'],
  }
  const running = await Promise.all(
    Object.entries(commands).map(async ([name, command]) => ({ name, ...(await setting.start(command, prefix)) })),
  )
  const variants = Object.fromEntries(running.map(({ name }) => [name, samples()]))
  const ask = (slice: Omit<Slice, 'secret' | 'spread'>) =>
    load.ask<SliceResult>({ ...slice, secret: where.signingSecret, spread: 64 } satisfies Slice)

  for (const { port } of running) await ask({ ...many, port })
  for (let round = 0; round < rounds; round++) {
    for (const { name, port, pid } of shuffled(running, round)) {
      const alone = await quietly(pid, () => ask({ ...single, port }))
      const crowd = await quietly(pid, () => ask({ ...many, port }))
      const refused = alone.result.refused + crowd.result.refused
      if (refused > 0) throw new Error(`${name} did not take ${refused} commands.`)
      const kept = variants[name]
      kept?.perSecond.push(crowd.result.perSecond)
      kept?.p50Ms.push(alone.result.p50Ms)
      kept?.p99Ms.push(crowd.result.p99Ms)
      kept?.processorUs.push((crowd.processorMs / crowd.result.answers) * 1_000)
      kept?.memoryMb.push(memoryOf(pid))
      kept?.foreign.push(Math.max(alone.foreign, crowd.foreign))
    }
  }
  await silence()
  redis.disconnect()
  await Promise.all(running.map((program) => program.stop()))
  return {
    title: 'A signed command over HTTP, until it is acknowledged',
    measures: [
      { key: 'perSecond', heading: 'commands/s (32)', digits: 0, compared: true },
      { key: 'p50Ms', heading: 'p50 ms (1)', digits: 3, compared: true },
      { key: 'p99Ms', heading: 'p99 ms (32)', digits: 1 },
      { key: 'processorUs', heading: 'CPU µs', digits: 0, compared: true },
      { key: 'memoryMb', heading: 'RSS MB', digits: 0 },
      { key: 'foreign', heading: 'foreign', digits: 2, worst: true },
    ],
    variants,
  }
}

function samples() {
  const empty = (): number[] => []
  return {
    perSecond: empty(),
    p50Ms: empty(),
    p99Ms: empty(),
    processorUs: empty(),
    memoryMb: empty(),
    foreign: empty(),
  }
}
