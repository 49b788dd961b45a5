import { Gauge, type Registry } from 'prom-client'
import type { Check } from '../core/model/query-answer.ts'
import { freezeAt, lockdownIn } from '../core/model/records.ts'
import { idOf } from '../core/model/words.ts'
import { isStale } from '../core/ports/endpoint-use.ts'
import type { MeteredProject, Readiness } from '../core/ports/meter.ts'
import { inTime } from '../core/requests/gateway.ts'
import { savedIn } from '../features/savings/query.ts'

function gaugesIn(registry: Registry) {
  function gauge(name: string, help: string, ...labels: readonly string[]): Gauge {
    return new Gauge({ name: `lamplighter_${name}`, help, labelNames: ['project', ...labels], registers: [registry] })
  }
  return {
    fault: gauge('fault', '1 for each check of doctor that fails, else 0.', 'check'),
    open: gauge('open_requests', 'Operations that have not ended.', 'state'),
    oldest: gauge('oldest_open_request_seconds', 'Age of the oldest operation that has not ended.', 'state'),
    asks: gauge('asks_waiting', 'Questions that people have not answered.', 'requirement'),
    queue: gauge('queue_depth', 'Jobs that are waiting for a worker.', 'queue'),
    tick: gauge('tick_age_seconds', 'Time since the schedules were checked; +Inf after three minutes.'),
    endpoints: gauge('endpoints', 'Endpoints by use, as of the last check.', 'reading'),
    hours: gauge('saved_hours', 'Replica-hours saved in the last 7 days.', 'cause'),
    money: gauge('saved_money', 'Money saved in the last 7 days.', 'cause', 'currency'),
    lockdown: gauge('lockdown', '1 during a lockdown.'),
    frozen: gauge('frozen', '1 while all automation is paused.'),
    verified: gauge('audit_verified_timestamp_seconds', 'When the whole audit was last verified without a fault.'),
    policy: gauge('policy_info', '1, with the version of the policy file in force.', 'version'),
  }
}

/** A gauge, its labels besides the project, and its value. */
type Sample = readonly [keyof ReturnType<typeof gaugesIn>, Readonly<Record<string, string>>, number]

/** How long each kind of reading is reused, by its cost. ms. */
const counts = { quick: 2_000, requests: 15_000, checks: 60_000, savings: 600_000 } as const

/** How long one scrape waits for a reading; a later one is used by the next scrape. ms. */
const patience = 1_500

/** The most requests that one scrape reads for the savings. */
const mostRead = 2_000
const week = 7 * 24 * 3_600_000

/** Reads the gauges when they are scraped, and reuses each reading for its time. */
export function createGauges(registry: Registry) {
  const gauges = gaugesIn(registry)
  const projects = new Map<string, () => Promise<readonly Sample[]>>()

  return {
    /** A worker's readings replace a bot's of the same project. */
    add: (one: MeteredProject): void => {
      if (!projects.has(one.project) || one.worker !== undefined) projects.set(one.project, readingsOf(one))
    },
    async read({ checks }: Readiness): Promise<void> {
      // Everything else is read from storage.
      const isStored = checks.storage?.ok === true
      const read = isStored ? [...projects].map(async ([project, of]) => [project, await of()] as const) : []
      const found = await Promise.all(read)
      for (const gauge of Object.values(gauges)) gauge.reset()
      for (const [check, { ok }] of Object.entries(checks)) if (ok !== null) gauges.fault.set({ check }, ok ? 0 : 1)
      for (const [project, samples] of found)
        for (const [name, labels, value] of samples) gauges[name].set({ project, ...labels }, value)
    },
  }
}

function readingsOf(one: MeteredProject): () => Promise<readonly Sample[]> {
  const { worker } = one
  const place = () => worker?.services.operationsChannel() ?? ''
  const parts = [
    lately(counts.quick, () => quickly(one)),
    ...(worker === undefined
      ? []
      : [
          lately(counts.quick, () => haltsOf(worker)),
          lately(counts.requests, () => requestsOf(worker)),
          lately(counts.checks, async () => faultsIn(await worker.services.checks({ channel: place() }))),
          lately(counts.savings, () => savingsOf(worker)),
        ]),
  ]
  return async () => (await Promise.all(parts.map((part) => part()))).flat()
}

/** Returns the last reading, and reads again when it is too old. Leaves out one that fails or takes too long. */
function lately(countsMs: number, ask: () => Promise<readonly Sample[]>): () => Promise<readonly Sample[]> {
  let last: { readonly at: number; readonly samples: readonly Sample[] } | undefined
  let asking: Promise<void> | undefined

  async function again(): Promise<void> {
    const samples = await ask().catch(() => undefined)
    last = samples && { at: performance.now(), samples }
    asking = undefined
  }

  return async () => {
    const age = () => performance.now() - (last?.at ?? Number.NEGATIVE_INFINITY)
    if (age() >= countsMs) {
      asking ??= again()
      await inTime(asking, undefined, patience)
    }
    // An old value would hide that it can no longer be read.
    return age() < countsMs + 60_000 ? (last?.samples ?? []) : []
  }
}

type Worker = NonNullable<MeteredProject['worker']>

async function quickly({ policyVersion, depths, tickedAgo }: MeteredProject): Promise<readonly Sample[]> {
  const [jobs, ago] = await Promise.all([depths(), tickedAgo()])
  return [
    ['policy', { version: policyVersion() }, 1],
    ['tick', {}, ago === null ? Number.POSITIVE_INFINITY : ago / 1_000],
    ...Object.entries(jobs).map(([queue, count]) => ['queue', { queue }, count] as const),
  ]
}

async function haltsOf({ services: { store, clock }, verifiedAt }: Worker): Promise<readonly Sample[]> {
  const [records, verified] = await Promise.all([store.records(), verifiedAt()])
  return [
    ['lockdown', {}, lockdownIn(records) === null ? 0 : 1],
    ['frozen', {}, freezeAt(records, clock.now()) === null ? 0 : 1],
    ...(verified === null ? [] : [['verified', {}, verified / 1_000] as const]),
  ]
}

async function requestsOf({ services: { store, clock } }: Worker): Promise<readonly Sample[]> {
  const [requests, watched] = await Promise.all([store.open(), store.watched()])
  const now = clock.now()
  const states = (['received', 'awaiting', 'running'] as const).flatMap((state): Sample[] => {
    const ages = requests.filter(({ status }) => status === state).map(({ receivedAt }) => now - receivedAt)
    return [
      ['open', { state }, ages.length],
      ['oldest', { state }, Math.max(0, ...ages) / 1_000],
    ]
  })
  const asked = requests.flatMap(({ status, requirement }) => (status === 'awaiting' ? [requirement ?? 'none'] : []))
  const readings = [...watched.values()].map((one) =>
    isStale(one, now) ? 'outdated' : (one.segments.at(-1)?.state ?? 'unknown'),
  )
  return [...states, ...counted('asks', 'requirement', asked), ...counted('endpoints', 'reading', readings)]
}

function counted(name: Sample[0], label: string, values: readonly string[]): Sample[] {
  return [...new Set(values)].map((value) => [name, { [label]: value }, values.filter((it) => it === value).length])
}

async function savingsOf({ services }: Worker): Promise<readonly Sample[]> {
  const now = services.clock.now()
  const { total, currency } = await savedIn(services, { from: now - week, to: now }, mostRead)
  return Object.entries(total).flatMap(([cause, { hours, money }]): Sample[] => [
    ['hours', { cause }, hours],
    ['money', { cause, currency }, money],
  ])
}

/** Checks that readiness and other gauges report. */
const told = ['storage', 'rules', 'key', 'lockdown', 'freeze']
/** Checks that can't run without a scope, or without Slack. */
const unseen = ['groups', 'approvers', 'channel']

function faultsIn(checks: readonly Check[]): readonly Sample[] {
  const scopes = checks.find(({ name }) => idOf(name) === 'check.scopes')
  const isSlackAway = scopes !== undefined && idOf(scopes.says) === 'scopes.token'
  const left = [...told, ...(scopes?.well === false ? unseen : []), ...(isSlackAway ? ['scopes'] : [])]
  const found = checks.map(({ name, well }) => [idOf(name)?.replace('check.', '') ?? 'other', well] as const)
  return [['slack', !isSlackAway] as const, ...found.filter(([check]) => !left.includes(check))].map(
    ([check, well]): Sample => ['fault', { check }, well ? 0 : 1],
  )
}
