import { createHash } from 'node:crypto'
import { desired } from '../domain/desired.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { idleClock, idleWords, unknownForLong } from '../domain/idle.ts'
import { idleRuleOf, idleTimeOf, regretsOf } from '../domain/idle-rules.ts'
import type { Pursuit } from '../domain/pursuit.ts'
import { type IdleRule, lockdownIn, type Records } from '../domain/records.ts'
import { isEnded, type Request } from '../domain/request.ts'
import { rulebookOf } from '../domain/rulebook.ts'
import type { Rules } from '../domain/rules.ts'
import { writeLine } from '../operations/line.ts'
import { stop } from '../operations/stop.ts'
import { writeWord } from '../operations/words.ts'
import { end } from './end.ts'
import { holding } from './let-go.ts'
import type { House } from './ports.ts'
import type { Watched } from './watch.ts'

interface Idler {
  readonly endpoint: Endpoint
  readonly rule: IdleRule
  readonly rules: Rules
  readonly watched: Watched
  /** ms of quiet it takes. */
  readonly idleMs: number
  readonly pursuit: Pursuit | undefined
  readonly now: number
}

/** Sees which endpoints have been idle for long enough, tells people, and takes back what is in use again. */
export async function considerIdle(
  house: House,
  active: readonly Endpoint[],
  watched: ReadonlyMap<string, Watched>,
): Promise<void> {
  const now = house.clock.now()
  const [records, policy] = [await house.store.records(), house.policy()]
  const ruled = active.flatMap((endpoint) => {
    const rule = idleRuleOf(records, policy, endpoint)
    const seen = watched.get(endpoint.id)
    return rule === null || seen === undefined ? [] : [{ endpoint, rule, seen }]
  })
  if (ruled.length === 0 || lockdownIn(records) !== null) return
  const book = rulebookOf(records, policy, now)
  const pursuits = await house.store.pursuits()
  for (const { endpoint, rule, seen } of ruled) {
    const idleMs = idleTimeOf(rule, regretsOf(records, endpoint.id, now).length, policy.automation.idle.most)
    const pursuit = pursuits.get(keyOf(endpoint))
    const rules = book.of(endpoint)
    await consider(house, { endpoint, rule, rules, watched: seen, idleMs, pursuit, now }, records)
  }
}

function keyOf({ id }: Endpoint): string {
  return `idle ${id}`
}

async function consider(house: House, idler: Idler, records: Records): Promise<void> {
  const { endpoint, rule, rules, watched, idleMs, pursuit, now } = idler
  const clock = idleClock(watched.segments, { policyOn: rule.at }, idleMs, now)
  const occurrence = `${endpoint.id}.idle.${clock.since}`
  const last = watched.segments.at(-1)
  const may = mayStop(rules, now) && endpoint.autoscaled !== true
  if (pursuit?.state === 'asked' && (!may || last?.state !== 'quiet' || pursuit.occurrence !== occurrence))
    await takeBack(house, idler, pursuit, last?.state === 'busy' ? 'it is in use again' : 'it is not to be stopped now')
  await tellUnknown(house, idler)
  if (!may || !clock.candidate || last === undefined || pursuit?.occurrence === occurrence) return
  const words = idleWords(clock, last.evidence)
  if (rule.mode === 'try') {
    await note(house, endpoint, { occurrence, state: 'left', attempts: 0, at: now })
    return house.announce(`${endpoint.name} would be stopped now: ${words}. Its idle watch only tries.`, [
      { label: `Stop ${endpoint.name}`, line: `stop ${writeWord(endpoint.id)}` },
    ])
  }
  if ((await house.store.holderOf(endpoint.id)) !== null) return
  await note(house, endpoint, { occurrence, state: 'asked', attempts: 1, at: now })
  const sorry = regretsOf(records, endpoint.id, now).length
  const longer = sorry === 0 ? '' : ` Its idle time is longer, since people have started it again soon ${sorry} times.`
  await handIn(house, idler, occurrence, `${words}.${longer}`)
}

/** Never inside a window that keeps it up, never while anything else decides. */
function mayStop(rules: Rules, now: number): boolean {
  if (rules.protected) return false
  const { want, by } = desired(rules, now)
  return want === 'hands off' && (by === 'nothing' || (typeof by === 'object' && by.kind === 'weekly'))
}

async function handIn(house: House, { endpoint, rule, now }: Idler, occurrence: string, reason: string): Promise<void> {
  const channel = house.operationsChannel()
  if (channel === undefined) return
  const request: Request = {
    id: idOf(house, occurrence),
    project: house.project,
    kind: 'operation',
    line: writeLine(stop, { endpoint: endpoint.id }),
    actor: rule.owner,
    place: { channel, chosen: true },
    via: 'idle',
    occurrence,
    due: now + rule.warn,
    reason,
    receivedAt: now,
    status: 'received',
    notes: [],
    nextAt: now,
  }
  await house.store.receive(request, undefined)
  await house.queue.wake(request, '0').catch(() => undefined)
}

/** One stop for one stretch of quiet. */
function idOf({ project }: House, occurrence: string): string {
  return createHash('sha256').update(`${project} ${occurrence}`).digest('base64url').slice(0, 22)
}

/** A warning that is not true any more. */
async function takeBack(house: House, { endpoint, now }: Idler, pursuit: Pursuit, why: string): Promise<void> {
  const id = idOf(house, pursuit.occurrence)
  const request = await house.store.load(id)
  if (request !== null && !isEnded(request.status) && request.status === 'awaiting') {
    const other = await house.store.claim(id)
    if (other === null) return
    await holding(house, other, async () => {
      if (other.request.status !== 'awaiting') return
      await end(house, other, 'cancelled', { says: `${endpoint.name} was left up: ${why}.` })
    })
  }
  await note(house, endpoint, { ...pursuit, state: 'left', at: now })
}

/** After a day without knowing, the owner is told once what is missing. */
async function tellUnknown(house: House, { endpoint, watched, now }: Idler): Promise<void> {
  const long = unknownForLong(watched.segments, now)
  if (long === null) return
  const key = `unknown ${endpoint.id}`
  const told = (await house.store.pursuits()).get(key)
  if (told?.occurrence === String(long.since)) return
  const note: Pursuit = { occurrence: String(long.since), state: 'left', attempts: 0, at: now }
  await house.store.notePursuits(new Map([[key, note]]))
  await house.announce(
    `Whether ${endpoint.name} is idle has not been known for a day: ${long.missing}. It is not stopped.`,
  )
}

async function note(house: House, endpoint: Endpoint, pursuit: Pursuit): Promise<void> {
  await house.store.notePursuits(new Map([[keyOf(endpoint), pursuit]]))
}
