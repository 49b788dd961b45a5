import type { Endpoint } from '../../core/model/endpoint.ts'
import { isMark } from '../../core/model/reading.ts'
import type { IdleRule, Pursuit } from '../../core/model/records.ts'
import { isEnded, type Request } from '../../core/model/request.ts'
import { instantOf } from '../../core/ports/metrics.ts'
import type { House } from '../../core/ports/services.ts'
import { claimOther, holding } from '../../core/requests/claim-other.ts'
import { end } from '../../core/requests/end.ts'
import { lasting } from '../../core/time/format.ts'
import { idOf } from '../schedules/hand-in.ts'
import type { LookedAt } from '../schedules/tick.ts'
import { type Idler, idlingKey, type Known } from './candidate.ts'
import { mostUnknown } from './idle-clock.ts'
import { idleRuleOf, sparedBy } from './idle-rules.ts'

/** Looks what has become of a stop that was handed in, and takes it back where it is not to be any more. */
export async function followUp(house: House, endpoint: Endpoint, idler: Idler | null, pursuit: Pursuit): Promise<void> {
  const request = await house.store.load(idOf(house, pursuit.occurrence, pursuit.attempts))
  if (request === null || isEnded(request.status)) {
    // Whatever it came to, the clock goes on from there: people's no, and a last look that said no, count as a use.
    const state = request?.status === 'succeeded' ? 'met' : request !== null && isUndecided(request) ? 'held' : 'left'
    return note(house, endpoint, { ...pursuit, state, at: request?.ending?.at ?? house.clock.now() })
  }
  const why = noMore(idler, pursuit.occurrence)
  if (why !== null && request.status === 'awaiting') await takeBack(house, endpoint, pursuit, why)
}

/** What gave way to somebody's request, or was never taken up, decides nothing: people are told anew. */
function isUndecided({ status, plan, ending }: Request): boolean {
  return ending?.takenBy !== undefined || (status === 'expired' && plan === undefined)
}

/**
 * After a look at the rules: takes an announced stop back at once where people have ruled it out since they were told.
 * No endpoint is looked at anew, so nothing is said about its use.
 */
export async function followUpIdle(house: House, known: Known & Pick<LookedAt, 'listed'>): Promise<void> {
  for (const endpoint of known.listed) {
    const pursuit = known.pursuits.get(idlingKey(endpoint.id))
    if (pursuit?.state !== 'asked') continue
    const rule = idleRuleOf(known.records, known.policy, endpoint)
    const why = ruledOut(rule, rule && sparedBy(known.book.of(endpoint), endpoint, rule, known.now))
    if (why !== null) await takeBack(house, endpoint, pursuit, why)
  }
}

async function takeBack(house: House, endpoint: Endpoint, pursuit: Pursuit, why: string): Promise<void> {
  const other = await claimOther(house.store, idOf(house, pursuit.occurrence, pursuit.attempts))
  if (other === null) return
  await holding(house, other, async () => {
    if (other.request.status !== 'awaiting') return
    await end(house, other, 'cancelled', { says: `${endpoint.name} was left up: ${why}.` })
    await note(house, endpoint, { ...pursuit, state: 'left', at: house.clock.now() })
  })
}

/** Why what people were told is not true any more, as the end of a sentence; or null. */
export function noMore(idler: Idler | null, occurrence: string | undefined): string | null {
  const ruled = ruledOut(idler?.rule ?? null, idler?.spared ?? null)
  if (ruled !== null || idler === null) return ruled
  const { clock, watched } = idler
  if (idler.occurrence !== occurrence) {
    const mark = watched.segments.findLast(isMark)
    if (mark?.to !== clock.since) return 'its idle watch or its replicas have changed'
    return mark.state === 'busy' ? `it is in use again (${mark.why})` : mark.why
  }
  return clock.unknown > mostUnknown ? `whether it is used cannot be seen (${doubtIn(idler)})` : null
}

function ruledOut(rule: IdleRule | null, spared: string | null): string | null {
  if (rule === null) return 'its idle watch is off'
  return rule.mode === 'on' ? spared : 'its idle watch only tries'
}

/** What has made too much of the idle time unknown: what came before it has nothing to say about that. */
function doubtIn({ watched, clock, idleMs, now }: Idler): string {
  const to = instantOf(watched, now)
  const recent = watched.segments.filter((segment) => segment.to > to - idleMs)
  const looked = recent.reduce((sum, segment) => sum + segment.to - Math.max(segment.from, to - idleMs), 0)
  const unseen = idleMs - looked
  const doubt = recent.findLast(({ state }) => state === 'unknown')
  if (unseen > (clock.unknown * idleMs) / 2) return `nobody looked for ${lasting(unseen)}`
  return doubt?.why ?? `${lasting(clock.unknown * idleMs)} of the last ${lasting(idleMs)} are not known`
}

/** Keeps how far the pursuit of an endpoint's idleness has come. */
export async function note(house: House, { id }: Endpoint, pursuit: Pursuit): Promise<void> {
  await house.store.notePursuits(new Map([[idlingKey(id), pursuit]]))
}
