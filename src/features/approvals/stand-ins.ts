import { type Actor, isSame, type Place } from '../../core/model/actor.ts'
import type { Told } from '../../core/model/answer.ts'
import type { Asking } from '../../core/model/policy.ts'
import type { Ask } from '../../core/model/question.ts'
import { absencesAt, awayKey, type Change, holdKey, type Records, type StandIn } from '../../core/model/records.ts'
import type { Note, Request } from '../../core/model/request.ts'
import { isCutShort, otherKeepers } from '../../core/model/rules.ts'
import { isApprover } from '../../core/policy/who-answers.ts'
import type { Held, House } from '../../core/ports/services.ts'
import { standpointOf } from '../../core/requests/authorize.ts'
import { claimOther, holding } from '../../core/requests/claim-other.ts'
import { instant } from '../../core/time/format.ts'

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

/** What a change says of somebody's absence, to everybody; undefined where it is about none. */
export function absenceTold({ put = [], drop = [] }: Change, by: Actor): Told | undefined {
  const away = put.find((record) => record.kind === 'away')
  if (away !== undefined)
    return [
      member(away.who),
      ` is away until ${instant(away.until)}: `,
      member(away.to),
      ' may approve in their place.',
    ]
  return drop.includes(awayKey(by)) ? [member(by), ' is back; nobody approves in their place any more.'] : undefined
}

/** Tells whoever stands in from now on, once, by a direct message. */
export function standInNotes({ put = [] }: Change, { id }: Request): readonly Note[] {
  return put
    .filter((record): record is StandIn => record.kind === 'away')
    .map(({ who, to, until }) => ({
      id: `${id}.stand-in`,
      to,
      channel: to.user,
      says: `You may approve in somebody's place until ${instant(until)}:`,
      who,
    }))
}

/** Tells others, by direct messages, that somebody has shortened or ended a hold that they count on. */
export function holdNotes(
  { put = [], drop = [] }: Change,
  records: Records,
  { id, actor, endpoint, receivedAt }: Request,
): readonly Note[] {
  if (endpoint === undefined) return []
  const key = holdKey(endpoint.id)
  const [before, after] = [records.get(key), put.find((record) => record.kind === 'hold')]
  if (before?.kind !== 'hold' || (after === undefined && !drop.includes(key))) return []
  const now = after === undefined ? 'That has been ended by' : `That ends ${instant(after.until)} by now, shortened by`
  return otherKeepers(before, actor)
    .filter((one) => isCutShort(one, after?.until ?? receivedAt))
    .map(({ by, until }) => ({
      id: `${id}.hold.${by.user}`,
      to: by,
      channel: by.user,
      says: `You kept ${endpoint.name} until ${instant(until)}. ${now}`,
      who: actor,
    }))
}

function member({ user }: Actor): Told[number] {
  return { kind: 'user', id: user }
}
