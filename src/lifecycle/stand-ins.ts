import { isSame, type Place } from '../domain/actor.ts'
import { isApprover } from '../domain/answering.ts'
import type { Ask } from '../domain/ask.ts'
import type { Asking } from '../domain/demand.ts'
import { absencesAt, type Change, type Records, type StandIn } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import { standpointOf } from './identify.ts'
import { holding } from './let-go.ts'
import type { Held, House } from './ports.ts'
import { claimOther } from './unproven.ts'

type StandIns = NonNullable<Ask['standIns']>

/** The absences of those who could approve now, looked up where it is asked. Null: that cannot be found out. */
async function standInsNow(
  house: House,
  place: Place,
  asking: Asking,
  records: Records,
): Promise<readonly StandIn[] | null> {
  const absences = absencesAt(records, house.clock.now())
  const absent = await Promise.all(absences.map(({ who }) => standpointOf(house, who, place)))
  const known = absent.filter((one) => one !== null)
  return known.length < absent.length
    ? null
    : absences.filter(({ who }) => known.some((one) => isSame(one.actor, who) && isApprover(one, asking, false)))
}

/** Who may approve for whom, as an ask names them: nobody in the place of whoever asks, and not the asker. */
export async function standInsFor(
  house: House,
  { actor, place }: Request,
  asking: Asking,
  records: Records,
): Promise<StandIns | null> {
  const found = await standInsNow(house, place, asking, records)
  const others = found?.filter(({ who, to }) => !isSame(who, actor) && !isSame(to, actor))
  return others?.map(({ who, to, until }) => ({ to, of: who, until })) ?? null
}

/** Has a waiting approval name those who stand in by now. True where it named others; who counts is looked up at the press. */
export async function nameStandIns(house: House, held: Held): Promise<boolean> {
  const { request } = held
  const { ask, requirement } = request
  if (requirement !== 'approval' || ask === undefined) return false
  const standIns = await standInsFor(house, request, ask.asking, await house.store.records())
  if (standIns === null || textOf(standIns) === textOf(ask.standIns)) return false
  await held.move({ ...request, ask: { ...ask, standIns } }, [])
  return true
}

/** Somebody has left or come back: what waits for approvals names who may answer from now on. */
export async function absenceChanged(house: House, { put = [], drop = [] }: Change): Promise<void> {
  if (!put.some(({ kind }) => kind === 'away') && !drop.some((key) => key.startsWith('away:'))) return
  const waiting = (await house.store.open()).filter(({ status }) => status === 'awaiting')
  for (const { id } of waiting.filter(({ requirement }) => requirement === 'approval')) {
    // Whoever holds it is told to look again, and names them then.
    const other = await claimOther(house.store, id)
    if (other !== null) await holding(house, other, () => nameStandIns(house, other))
  }
}

function textOf(standIns: StandIns = []): string {
  return JSON.stringify(standIns.map(({ to, of, until }) => [to.team, to.user, of.team, of.user, until]))
}
