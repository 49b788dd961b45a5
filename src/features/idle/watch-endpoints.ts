import { call } from '../../core/commands/call.ts'
import { deedOf } from '../../core/commands/phrases.ts'
import { at } from '../../core/commands/platform-steps.ts'
import type { Endpoint, Replica } from '../../core/model/endpoint.ts'
import type { Reading, Segment } from '../../core/model/reading.ts'
import type { IdleRule } from '../../core/model/records.ts'
import { isAutomatic } from '../../core/model/request.ts'
import type { Rules } from '../../core/model/rules.ts'
import { isStale, stale, type Watched } from '../../core/ports/metrics.ts'
import type { House } from '../../core/ports/services.ts'
import { bookFor } from '../schedules/rulebook-cache.ts'
import { considerIdle } from './consider-stop.ts'
import { hearing } from './heard-in-logs.ts'
import { extended, keptMs } from './idle-clock.ts'
import { idleRuleOf } from './idle-rules.ts'

/** How often endpoints are looked at, ms. */
export const watchEvery = 60_000
/** Longer than a look at a thousand endpoints takes, and what is left of it for all that comes after the looks. ms. */
const [turnLife, reserve] = [120_000, 30_000]
/** Endpoints looked at at once, and how long the platform's word on their replicas is believed, ms. */
const atOnce = 16
const believed = 5 * 60_000
/** The same where no rule asks about the endpoint: nothing is done on it, and its replicas change with what the list says. */
const believedIdly = 60 * 60_000
/** Reads of such replicas in one round at least; of very many each is read once in an hour. */
const fewestReads = 20
/** How long after somebody's own start, scale or patch an endpoint counts as in use. ms. */
const grace = 15 * 60_000

/**
 * Looks at every active endpoint, keeps what was read, and sees which have been idle for long enough. Whom there was no
 * time for comes first in the next round.
 */
export async function watchAll(house: House): Promise<void> {
  const giveBack = await house.store.takeTurn('watch', turnLife)
  if (giveBack === null) return
  const end = house.clock.monotonic() + turnLife - reserve
  try {
    const before = await house.store.watched()
    const listed = await house.platform.list()
    if (listed.kind !== 'answered') return
    const lastAt = ({ id }: Endpoint) => before.get(id)?.at ?? 0
    const active = listed.answer
      .filter((endpoint) => endpoint.active === true && endpoint.url !== undefined)
      .sort((a, b) => lastAt(a) - lastAt(b))
    const looked = new Map<string, Watched>()
    const [records, policy] = [await house.store.records(), house.policy()]
    const book = bookFor(house, records)
    let idleReads = Math.max(fewestReads, Math.ceil(active.length / 60))
    await inTurn(active, async (endpoint) => {
      // A round may take as long as a minute, and another worker may have had the one before.
      const isFresh = house.clock.now() - lastAt(endpoint) < watchEvery - 10_000
      if (isFresh || house.clock.monotonic() > end) return
      const rule = idleRuleOf(records, policy, endpoint)
      const isAsked = rule !== null || hasRules(book.of(endpoint))
      if (!isAsked && knownOf(house, endpoint, believedIdly) === null) {
        if (idleReads === 0) return
        idleReads -= 1
      }
      const how = { last: false, believe: isAsked ? believed : believedIdly }
      looked.set(endpoint.id, await lookAt(house, endpoint, rule, before.get(endpoint.id) ?? null, how))
    })
    await house.store.keepWatched(new Map([...looked, ...forgotten(before, house.clock.now())]))
    await considerIdle(house, active, new Map([...before, ...looked]))
  } finally {
    await giveBack()
  }
}

function hasRules({ weekly, once, holds }: Rules): boolean {
  return weekly.length + once.length + holds.length > 0
}

/** Of what nobody has looked at for a month nothing is left to tell. */
function forgotten(before: ReadonlyMap<string, Watched>, now: number): readonly (readonly [string, null])[] {
  return [...before].flatMap(([id, { at: looked }]) => (now - looked < keptMs ? [] : [[id, null] as const]))
}

/**
 * One look, beside what was kept of the ones before. Logs are read only for whoever is watched for idleness, and the last
 * look before a stop believes none that was read earlier. `believe`: ms for which the platform's word on replicas stands.
 */
export async function lookAt(
  house: House,
  endpoint: Endpoint,
  rule: IdleRule | null,
  before: Watched | null,
  { last, believe = believed }: { readonly last: boolean; readonly believe?: number },
): Promise<Watched> {
  const now = house.clock.now()
  const [replicas, settings, done] = await Promise.all([
    replicasOf(house, endpoint, believe),
    house.store.settingsOf(endpoint.id),
    house.store.lastDone(endpoint.id),
  ])
  const changed = done !== null && !isAutomatic(done) && now - (done.ending?.at ?? 0) < grace
  if (replicas === null) return unlisted(endpoint, before, now)
  const circumstances = {
    replicas,
    path: settings?.container_metric_path ?? null,
    last,
    probeAutoscaled: rule?.autoscaled === true,
    ...(rule !== null && hearing(house, endpoint, replicas)),
    ...(changed && {
      changed: `somebody asked to ${deedOf(house.commands.operation(done.line), endpoint.name)} within the last 15 min`,
    }),
  }
  const { reading, watched: kept } = await house.watch.look(endpoint, circumstances, before?.kept ?? null, now)
  const segments = continued(before, reading, now)
  const starts = replicas.flatMap(({ startedAt }) => (startedAt === null ? [] : [startedAt * 1_000]))
  return { ...markOf(endpoint), at: now, kept, segments, ...(starts.length > 0 && { newest: Math.max(...starts) }) }
}

/** Who serves it is not known, so nobody is asked, and the next look stands beside the one before this. */
function unlisted(endpoint: Endpoint, before: Watched | null, now: number): Watched {
  const { replicas = 0 } = endpoint
  const evidence = { servers: [], requests: 0, open: 0, replicas, seen: 0, logs: 0 }
  const why = 'the platform did not say which replicas it has'
  const segments = continued(before, { state: 'unknown', why, evidence }, now)
  return { kept: null, ...before, ...markOf(endpoint), at: now, segments }
}

/** Counters that have not moved say so of all the time since the look before; that they have, or nothing, only of now. */
function continued(before: Watched | null, reading: Reading, now: number): readonly Segment[] {
  const from = reading.state === 'quiet' || now - (before?.at ?? 0) < stale ? (before?.at ?? now) : now
  return extended(before?.segments ?? [], reading, { from, to: now })
}

function markOf({ updatedAt }: Endpoint): Pick<Watched, 'updatedAt'> {
  return updatedAt === undefined ? {} : { updatedAt }
}

/** How an endpoint is used, as last read; null when that is too long ago. */
export async function readingOf(house: House, endpoint: string): Promise<Reading | null> {
  const watched = await house.store.watchedOf(endpoint)
  return watched === null || isStale(watched, house.clock.now()) ? null : (watched.segments.at(-1) ?? null)
}

interface Asked {
  readonly at: number
  readonly mark: string
  readonly replicas: readonly Replica[]
}

const asked = new WeakMap<House, Map<string, Asked>>()

/**
 * The platform's word, believed for some minutes while nothing else about the endpoint changes, and for longer where it
 * does not answer. Null: it does not, and what it said before is not true any more.
 */
async function replicasOf(house: House, endpoint: Endpoint, believe: number): Promise<readonly Replica[] | null> {
  const fresh = knownOf(house, endpoint, believe)
  if (fresh !== null) return fresh
  const outcome = await house.platform.send(call('get', '/endpoints/{endpoint_id}/replicas', { params: at(endpoint) }))
  if (outcome.kind !== 'answered') return knownOf(house, endpoint, Number.POSITIVE_INFINITY)
  const known = asked.get(house) ?? new Map<string, Asked>()
  asked.set(
    house,
    known.set(endpoint.id, { at: house.clock.now(), mark: markedBy(endpoint), replicas: outcome.answer }),
  )
  return outcome.answer
}

/** What it said last, unless that is older than so many ms or something else about the endpoint has changed. */
function knownOf(house: House, endpoint: Endpoint, believe: number): readonly Replica[] | null {
  const last = asked.get(house)?.get(endpoint.id)
  const isFresh = last?.mark === markedBy(endpoint) && house.clock.now() - last.at < believe
  return isFresh ? last.replicas : null
}

function markedBy({ status, replicas, updatedAt }: Endpoint): string {
  return [status, replicas, updatedAt].join(' ')
}

/** So many at once; one that takes long holds up no other. */
async function inTurn<One>(all: readonly One[], each: (one: One) => Promise<void>): Promise<void> {
  const waiting = all.values()
  async function work(): Promise<void> {
    for (const one of waiting) await each(one)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
