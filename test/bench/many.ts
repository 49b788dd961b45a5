import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { Goal } from './goals.ts'
import { freePort, measuredCoreTime, memoryOf, processorTimeOf } from './machine.ts'
import type { Use, Used, Wanted } from './many-world.ts'
import { type Assistant, startAssistant, startProgram } from './program.ts'
import { environmentOf, type Setting } from './setting.ts'
import { medianOf, quantileOf, shuffled } from './statistics.ts'
import type { Section } from './table.ts'
import type { World } from './world.ts'

const counts = [0, 2_500, 5_000, 10_000]
/** No new round begins after this time, ms. */
const enough = 40_000

interface Seen extends Used {
  /** After the endpoints are known, 50 queries and 5 lists. */
  readonly memoryMb: number
  readonly foreign: number
}

/**
 * Measures type-ahead, `list`, the menu, the Home and memory with very many endpoints. Each count gets a new process in
 * each round, because the memory of one count says nothing about another.
 */
export async function measureMany(setting: Setting, rounds: number): Promise<Section> {
  const world = await startAssistant(fileURLToPath(new URL('./many-world.ts', import.meta.url)))
  const variants = Object.fromEntries(counts.map((count) => [nameOf(count), samples()]))
  try {
    const begin = performance.now()
    for (let round = 0; round < rounds && performance.now() - begin < enough; round++) {
      const seen = new Map<number, Seen>()
      for (const count of shuffled(counts, round)) {
        seen.set(count, await look(setting, world, count, `bench-many-${round}-${count}`))
      }
      const empty = seen.get(0)?.memoryMb ?? Number.NaN
      for (const [count, one] of seen) keep(variants[nameOf(count)], one, ((one.memoryMb - empty) / count) * 1_000)
    }
  } finally {
    await world.stop()
  }
  return {
    title: 'With many endpoints: type-ahead, `list` without the time of the platform, the menu and the Home',
    measures: [
      { key: 'typingP50Ms', heading: 'typing p50 ms', digits: 1 },
      { key: 'typingP99Ms', heading: 'p99 ms', digits: 1 },
      { key: 'listP50Ms', heading: 'list p50 ms', digits: 1 },
      { key: 'listP99Ms', heading: 'p99 ms', digits: 1 },
      { key: 'platformMs', heading: 'platform p50 ms', digits: 1 },
      { key: 'menuP99Ms', heading: 'menu p99 ms', digits: 1 },
      { key: 'homeP99Ms', heading: 'Home p99 ms', digits: 1 },
      { key: 'memoryMb', heading: 'RSS MB', digits: 0 },
      { key: 'growthMb', heading: 'MB per 1,000', digits: 2 },
      { key: 'foreign', heading: 'foreign', digits: 2, worst: true },
    ],
    variants,
  }
}

/** Returns the goals for 10,000 endpoints, as fractions of the allowed time. */
export function goalsOfMany(section: Section | undefined): readonly Goal[] {
  const seen = section?.variants[nameOf(10_000)] ?? {}
  const { typingP99Ms = [], listP99Ms = [], menuP99Ms = [], homeP99Ms = [] } = seen
  return [
    { goal: 'type-ahead p99 over 10,000 endpoints, of 100 ms', seen: medianOf(typingP99Ms) / 100 },
    { goal: '`list` p99 over 10,000 endpoints without the platform, of 300 ms', seen: medianOf(listP99Ms) / 300 },
    { goal: 'the menu p99 over 10,000 endpoints, of 300 ms', seen: medianOf(menuP99Ms) / 300 },
    { goal: 'the Home p99 over 10,000 endpoints, of 300 ms', seen: medianOf(homeP99Ms) / 300 },
  ]
    .filter(({ seen }) => !Number.isNaN(seen))
    .map((goal) => ({ ...goal, limit: 1, met: goal.seen <= 1 }))
}

async function look(setting: Setting, world: Assistant, endpoints: number, prefix: string): Promise<Seen> {
  const where = await world.ask<World>({ endpoints } satisfies Wanted)
  const port = await freePort()
  const program = await startProgram([setting.programs.ours, 'all'], {
    ...environmentOf(where, setting, prefix),
    PORT: String(port),
  })
  const use = (queries: number, lists: number) => world.ask<Used>({ endpoints, port, queries, lists } satisfies Use)
  try {
    await use(50, 5)
    const memoryMb = memoryOf(program.pid)
    const [own, core, begin] = [processorTimeOf(program.pid), measuredCoreTime(), performance.now()]
    const used = await use(300, 20)
    const others = measuredCoreTime() - core - (processorTimeOf(program.pid) - own)
    return { ...used, memoryMb, foreign: others / (performance.now() - begin) }
  } finally {
    await program.stop()
  }
}

function keep(kept: ReturnType<typeof samples> | undefined, seen: Seen, growthMb: number): void {
  const ownMs = seen.listMs.map((ms, index) => ms - (seen.platformMs[index] ?? Number.NaN))
  kept?.typingP50Ms.push(medianOf(seen.typingMs))
  kept?.typingP99Ms.push(quantileOf(seen.typingMs, 0.99))
  kept?.listP50Ms.push(medianOf(ownMs))
  kept?.listP99Ms.push(quantileOf(ownMs, 0.99))
  kept?.menuP99Ms.push(quantileOf(seen.menuMs, 0.99))
  kept?.homeP99Ms.push(quantileOf(seen.homeMs, 0.99))
  kept?.platformMs.push(medianOf(seen.platformMs))
  kept?.memoryMb.push(seen.memoryMb)
  kept?.growthMb.push(growthMb)
  kept?.foreign.push(seen.foreign)
}

function samples() {
  const empty = (): number[] => []
  return {
    typingP50Ms: empty(),
    typingP99Ms: empty(),
    listP50Ms: empty(),
    listP99Ms: empty(),
    menuP99Ms: empty(),
    homeP99Ms: empty(),
    platformMs: empty(),
    memoryMb: empty(),
    growthMb: empty(),
    foreign: empty(),
  }
}

function nameOf(count: number): string {
  return `${count.toLocaleString('en')} endpoints`
}
