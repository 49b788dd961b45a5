import { at, call } from '../../core/commands/call.ts'
import { phrase } from '../../core/commands/phrases.ts'
import { idleRuleOf } from '../../core/model/automation.ts'
import type { Endpoint, Replica } from '../../core/model/endpoint.ts'
import { noEvidence, type Reading, type Segment } from '../../core/model/reading.ts'
import type { IdleRule } from '../../core/model/records.ts'
import { isAutomatic } from '../../core/model/request.ts'
import { say } from '../../core/model/words.ts'
import { isStale, stale, type WatchedEndpoint } from '../../core/ports/endpoint-use.ts'
import type { Services } from '../../core/ports/services.ts'
import { logReader } from '../logs/read.ts'
import { bookFor } from '../schedules/rules/rulebook.ts'
import { considerIdle } from './consider-stop.ts'
import { keptMs, withReading } from './idle-clock.ts'

/** How often endpoints are looked at, ms. */
export const idleWatchEvery = 60_000
/** Longer than a look at a thousand endpoints takes, and the part of it for the work after the looks, ms. */
const [turnLife, reserve] = [120_000, 30_000]
const looksAtOnce = 16
/** How long a read of the replicas is used, ms. */
const replicasLife = 5 * 60_000
/** The same for endpoints without rules, which automation leaves alone. */
const unruledReplicasLife = 60 * 60_000
/** The fewest of those read in one round; with very many, each is read once an hour. */
const fewestReads = 20
/** How long an endpoint counts as in use after a person's change, ms. */
const grace = 15 * 60_000

/** Looks at every active endpoint, the longest unseen first; stores the readings and considers idle stops. */
export async function watchAll(services: Services): Promise<void> {
  const giveBack = await services.store.takeTurn('watch', turnLife)
  if (giveBack === null) return
  const end = services.clock.monotonic() + turnLife - reserve
  try {
    const before = await services.store.watched()
    const listed = await services.platform.list()
    if (listed.kind !== 'answered') return
    const lastAt = ({ id }: Endpoint) => before.get(id)?.at ?? 0
    const active = listed.answer
      .filter((endpoint) => endpoint.active === true && endpoint.url !== undefined)
      .sort((a, b) => lastAt(a) - lastAt(b))
    const looked = new Map<string, WatchedEndpoint>()
    const [records, policy] = [await services.store.records(), services.policy()]
    const book = bookFor(services, records)
    let readsLeft = Math.max(fewestReads, Math.ceil(active.length / 60))
    async function look(endpoint: Endpoint): Promise<void> {
      // Another worker may have done the round before.
      const isFresh = Math.abs(services.clock.now() - lastAt(endpoint)) < idleWatchEvery - 10_000
      if (isFresh || services.clock.monotonic() > end) return
      const rule = idleRuleOf(records, policy, endpoint)
      const { weekly, once, holds } = book.of(endpoint)
      const isRuled = rule !== null || weekly.length + once.length + holds.length > 0
      if (!isRuled && cachedReplicas(services, endpoint, unruledReplicasLife) === null) {
        if (readsLeft === 0) return
        readsLeft -= 1
      }
      const how = { last: false, life: isRuled ? replicasLife : unruledReplicasLife }
      looked.set(endpoint.id, await watchEndpoint(services, endpoint, rule, before.get(endpoint.id) ?? null, how))
    }
    // A slow endpoint delays no other.
    const waiting = active.values()
    const lookAround = async () => {
      for (const endpoint of waiting) await look(endpoint)
    }
    await Promise.all(Array.from({ length: looksAtOnce }, lookAround))
    const now = services.clock.now()
    const outdated = [...before].filter(([, { at: lookedAt }]) => now - lookedAt >= keptMs)
    await services.store.keepWatched(new Map([...looked, ...outdated.map(([id]) => [id, null] as const)]))
    await considerIdle(services, active, new Map([...before, ...looked]))
  } finally {
    await giveBack()
  }
}

/** Looks at one endpoint. `last`: right before a stop, reusing nothing. `life`: how long read replicas are used, ms. */
export async function watchEndpoint(
  services: Services,
  endpoint: Endpoint,
  rule: IdleRule | null,
  before: WatchedEndpoint | null,
  { last, life = replicasLife }: { readonly last: boolean; readonly life?: number },
): Promise<WatchedEndpoint> {
  const now = services.clock.now()
  const [replicas, settings, done] = await Promise.all([
    replicasOf(services, endpoint, life),
    services.store.settingsOf(endpoint.id),
    services.store.lastDone(endpoint.id),
  ])
  const changed = done !== null && !isAutomatic(done) && now - (done.ending?.at ?? 0) < grace
  const changeMark = endpoint.updatedAt === undefined ? {} : { updatedAt: endpoint.updatedAt }
  if (replicas === null) {
    const evidence = { ...noEvidence, replicas: endpoint.replicas ?? 0 }
    const why = say('reading.unlisted')
    const segments = continued(before, { state: 'unknown', why, evidence }, now)
    // What the watch has kept stays, for the next look.
    return { kept: null, ...before, ...changeMark, at: now, segments }
  }
  const circumstances = {
    replicas,
    path: settings?.container_metric_path ?? null,
    last,
    probeAutoscaled: rule?.autoscaled === true,
    ...(rule !== null && logReader(services, endpoint, replicas)),
    ...(changed && {
      changed: say('reading.changed', {
        deed: phrase(services.commands.operation(done.line), endpoint.name, 'ask'),
        at: { at: done.ending?.at ?? done.receivedAt },
        by: { person: done.actor },
      }),
    }),
  }
  const { reading, watched: kept } = await services.watch.look(endpoint, circumstances, before?.kept ?? null, now)
  const segments = continued(before, reading, now)
  const starts = replicas.flatMap(({ startedAt }) => (startedAt === null ? [] : [startedAt * 1_000]))
  return { ...changeMark, at: now, kept, segments, ...(starts.length > 0 && { newest: Math.max(...starts) }) }
}

/** A quiet reading covers the time since the previous look; any other covers only now if that look is old. */
function continued(before: WatchedEndpoint | null, reading: Reading, now: number): readonly Segment[] {
  const from = reading.state === 'quiet' || now - (before?.at ?? 0) < stale ? Math.min(before?.at ?? now, now) : now
  // What lies ahead was seen before the clock was set back.
  const past = (before?.segments ?? []).flatMap((one) =>
    one.to <= now ? [one] : one.from < now ? [{ ...one, to: now }] : [],
  )
  return withReading(past, reading, { from, to: now })
}

/** Returns the last reading of an endpoint; null if it is too old. */
export async function lastReading(services: Services, endpoint: string): Promise<Reading | null> {
  const watched = await services.store.watchedOf(endpoint)
  return watched === null || isStale(watched, services.clock.now()) ? null : (watched.segments.at(-1) ?? null)
}

interface ReplicasRead {
  readonly at: number
  readonly mark: string
  readonly replicas: readonly Replica[]
}

const replicasRead = new WeakMap<Services, Map<string, ReplicasRead>>()

/** Returns the replicas, cached for `life` (ms), or longer if the platform does not answer; null if unknown. */
async function replicasOf(services: Services, endpoint: Endpoint, life: number): Promise<readonly Replica[] | null> {
  const fresh = cachedReplicas(services, endpoint, life)
  if (fresh !== null) return fresh
  const outcome = await services.platform.send(
    call('get', '/endpoints/{endpoint_id}/replicas', { params: at(endpoint) }),
  )
  if (outcome.kind !== 'answered') return cachedReplicas(services, endpoint, Number.POSITIVE_INFINITY)
  const read = replicasRead.get(services) ?? new Map<string, ReplicasRead>()
  read.set(endpoint.id, { at: services.clock.now(), mark: markedBy(endpoint), replicas: outcome.answer })
  replicasRead.set(services, read)
  return outcome.answer
}

/** Returns null if the read is older than `life` (ms), or the endpoint has changed since. */
function cachedReplicas(services: Services, endpoint: Endpoint, life: number): readonly Replica[] | null {
  const last = replicasRead.get(services)?.get(endpoint.id)
  const isFresh = last?.mark === markedBy(endpoint) && Math.abs(services.clock.now() - last.at) < life
  return isFresh ? last.replicas : null
}

function markedBy({ status, replicas, updatedAt }: Endpoint): string {
  return [status, replicas, updatedAt].join(' ')
}
