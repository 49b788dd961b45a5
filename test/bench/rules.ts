import { performance } from 'node:perf_hooks'
import { Redis } from 'ioredis'
import { noPrices, usualAutomation } from '../../src/domain/automation.ts'
import { type Policy, usualAsking, usualMatrix } from '../../src/domain/demand.ts'
import { desired } from '../../src/domain/desired.ts'
import type { Endpoint } from '../../src/domain/endpoint.ts'
import { rulebookOf } from '../../src/domain/rulebook.ts'
import type { Hold, WeeklyRule } from '../../src/domain/rules.ts'
import { readWindow } from '../../src/domain/window.ts'
import type { House } from '../../src/lifecycle/ports.ts'
import { tick } from '../../src/lifecycle/tick.ts'
import { keysOf, tagOf } from '../../src/store/keys.ts'
import { createStore } from '../../src/store/requests.ts'
import { signerFor } from '../../src/store/signed.ts'
import type { Goal } from './goals.ts'
import type { Setting } from './setting.ts'
import { medianOf } from './statistics.ts'
import type { Section } from './table.ts'

const perEndpoint = 3
const counts = [10_000, 33_334]
const texts = ['up weekdays 09:00-20:00', 'up sat 10:00-14:00', 'down sun 02:00-06:00'] as const
const zones = ['Asia/Seoul', 'Europe/Berlin', 'America/New_York', 'UTC']
const owner = { team: 'T0BENCH', user: 'U0BENCH' }

/** One look at very many rules where nothing has to be done, with everything Redis has to tell for it; nothing is listed. */
export async function measureRules(setting: Setting, rounds: number): Promise<Section> {
  const variants: Record<string, Record<string, number[]>> = {}
  for (const count of counts) variants[nameOf(count)] = await measure(setting, count, rounds)
  return {
    title: 'One look at all rules, without the time of the platform',
    measures: [
      { key: 'firstMs', heading: 'after a start, CPU ms', digits: 0 },
      { key: 'cpuMs', heading: 'then, CPU ms', digits: 0 },
      { key: 'wallMs', heading: 'ms', digits: 0 },
      { key: 'changedMs', heading: 'after a record changed, CPU ms', digits: 0 },
      { key: 'ruleBytes', heading: 'Redis bytes a rule', digits: 0 },
      { key: 'pursuitBytes', heading: 'and an endpoint', digits: 0 },
    ],
    variants,
  }
}

/** What was promised, as parts of the time allowed. */
export function goalsOfRules(section: Section | undefined): readonly Goal[] {
  const cpu = (count: number) => medianOf(section?.variants[nameOf(count)]?.['cpuMs'] ?? [])
  return [
    { goal: 'a look at 10,000 endpoints with 3 rules each, of 150 ms CPU', seen: cpu(10_000) / 150 },
    { goal: 'a look at 100,000 rules, of 1.5 s CPU', seen: cpu(33_334) / 1_500 },
  ]
    .filter(({ seen }) => !Number.isNaN(seen))
    .map((goal) => ({ ...goal, limit: 1, met: goal.seen <= 1 }))
}

async function measure(setting: Setting, count: number, rounds: number): Promise<Record<string, number[]>> {
  const redis = new Redis(setting.redisUrl)
  const tag = tagOf(`bench-rules-${count}`, 'default')
  const keys = keysOf(tag)
  let passed = 0
  const clock = { now: () => Date.UTC(2026, 10, 18, 2, 30) + passed, monotonic: () => performance.now() }
  function houseWith(): House {
    const store = createStore({
      redis,
      keys,
      project: 'default',
      signer: signerFor({}, tag),
      clock,
      leaseMs: 20_000,
      skew: () => 0,
    })
    return { ...around, store } as unknown as House
  }
  const around = {
    project: 'default',
    policy: () => policy,
    operationsChannel: () => 'C0BENCH',
    people: { who: async () => ({ user: owner.user, standing: 'full', groups: new Set() }), where: async () => null },
    platform: { list: async () => ({ kind: 'answered', answer: listed() }) },
    announce: async () => undefined,
    clock,
    log: console,
  }
  const rules = Array.from({ length: count }, (_, at) => rulesOf(at)).flat()
  const first = houseWith()
  for (let from = 0; from < rules.length; from += 1_000)
    await first.store.write({ put: rules.slice(from, from + 1_000) }, [])
  const book = rulebookOf(await first.store.records(), policy, clock.now())
  const active = Array.from({ length: count }, (_, at) => {
    const { want } = desired(book.of({ id: idOf(at), name: idOf(at) }), clock.now())
    return want === 'up'
  })
  /** Read anew each time, as from the network; made before time is taken. */
  let list: readonly Endpoint[] = []
  function listed(): readonly Endpoint[] {
    return list
  }
  function makeList(): void {
    list = active.map((on, at) => ({ id: idOf(at), name: idOf(at), active: on, replicas: 1 }))
  }
  const kept = { firstMs: [] as number[], cpuMs: [] as number[], wallMs: [] as number[], changedMs: [] as number[] }
  // What is noted at the very first look stays.
  makeList()
  await tick(first)
  if ((await redis.hlen(keys.pursuits)) < count) throw new Error('Not every endpoint is pursued.')
  try {
    for (let round = 0; round < rounds; round++) {
      const house = houseWith()
      for (let look = 0; look < 5; look++) {
        passed += 60_000
        makeList()
        // Somebody keeps one of them, at another worker.
        if (look === 4) await first.store.write({ put: [holdOf(round, clock.now())] }, [])
        const [begin, used] = [performance.now(), process.cpuUsage()]
        if (!(await tick(house))) throw new Error('The rules were not looked through.')
        const { user, system } = process.cpuUsage(used)
        if (look > 0 && look < 4) kept.wallMs.push(performance.now() - begin)
        kept[look === 0 ? 'firstMs' : look < 4 ? 'cpuMs' : 'changedMs'].push((user + system) / 1_000)
      }
    }
    const bytes = async (key: string) => Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'))
    return {
      ...kept,
      ruleBytes: [(await bytes(keys.records)) / rules.length],
      pursuitBytes: [(await bytes(keys.pursuits)) / count],
    }
  } finally {
    redis.disconnect()
  }
}

const policy: Policy = {
  version: 'bench',
  roles: { viewer: [], operator: [{ kind: 'user', id: owner.user }], approver: [], admin: [] },
  matrix: usualMatrix,
  asking: usualAsking,
  overrides: [],
  bounds: { replicas: 100, away: 86_400_000, keep: 86_400_000 },
  automation: usualAutomation,
  prices: noPrices,
}

function rulesOf(at: number): readonly WeeklyRule[] {
  return texts.slice(0, perEndpoint).map((text, nth) => {
    const [direction, ...words] = text.split(' ')
    const read = readWindow(words.join(' '))
    if ('wrong' in read) throw new Error(read.wrong)
    return {
      kind: 'weekly',
      id: `${idOf(at)}-${nth}`,
      endpoint: idOf(at),
      direction: direction === 'up' ? 'up' : 'down',
      window: read.window,
      zone: zones[at % zones.length] ?? 'UTC',
      owner,
      made: Date.UTC(2026, 0, 1),
    }
  })
}

function holdOf(at: number, now: number): Hold {
  return { kind: 'hold', id: `hold-${at}`, endpoint: idOf(at), at: now, until: now + 3_600_000, by: owner }
}

function idOf(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
}

function nameOf(count: number): string {
  return `${count.toLocaleString('en')} endpoints × ${perEndpoint} rules`
}
