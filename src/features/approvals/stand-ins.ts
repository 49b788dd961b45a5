import type { ApprovalSettings, Override } from '../../core/model/policy.ts'
import type { OwnAccess } from '../../core/model/query-answer.ts'
import type { Ask } from '../../core/model/question.ts'
import {
  absencesAt,
  awayKey,
  type Change,
  endpointKey,
  keyOf,
  principalsOf,
  type Records,
  recordOn,
  type StandIn,
  type StoredRecord,
} from '../../core/model/records.ts'
import { type Note, type Request, waitsForPeople } from '../../core/model/request.ts'
import { type Actor, includes, isSame } from '../../core/model/roles.ts'
import { isCutShort, otherKeepers } from '../../core/model/rules.ts'
import { say, type Words } from '../../core/model/words.ts'
import { approversIn, isApprover } from '../../core/policy/who-answers.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'
import { lookUpPerson } from '../../core/requests/authorize.ts'
import { actOn } from '../../core/requests/claim-other.ts'
import { mandatesUnder } from './review.ts'

type StandIns = NonNullable<Ask['standIns']>

/** Returns who may approve for whom, except the requester and delegates with a vote of their own; null if unknown. */
export async function standInsFor(
  services: Services,
  { actor, place }: Request,
  asking: ApprovalSettings,
  records: Records,
): Promise<StandIns | null> {
  const all = absencesAt(records, services.clock.now())
  const absences = all.filter(({ who, to }) => !isSame(who, actor) && !isSame(to, actor))
  const standIns: StandIns[number][] = []
  for (const { who: of, to, until } of absences) {
    const [absent, delegate] = await Promise.all([of, to].map((one) => lookUpPerson(services, one, place)))
    if (absent == null || delegate == null) return null
    const isAble = delegate.person.membership === 'full' && !isApprover(delegate, asking, false)
    if (isAble && isApprover(absent, asking, false)) standIns.push({ to, of, until })
  }
  return standIns
}

/** Updates the delegates named by a waiting approval. Returns whether they changed; the press checks who counts. */
export async function nameStandIns(services: Services, claim: ClaimedRequest): Promise<boolean> {
  const { request } = claim
  const { ask, requirement } = request
  if (requirement !== 'approval' || ask === undefined) return false
  const standIns = await standInsFor(services, request, ask.asking, await services.store.records())
  if (standIns === null || JSON.stringify(standIns) === JSON.stringify(ask.standIns ?? [])) return false
  await claim.move({ ...request, ask: { ...ask, standIns } }, [])
  return true
}

/** After someone leaves or comes back, updates who may answer on each waiting approval. */
export async function refreshApprovers(services: Services, { put = [], drop = [] }: Change): Promise<void> {
  if (!put.some(({ kind }) => kind === 'away') && !drop.some((key) => key.startsWith('away:'))) return
  const waiting = (await services.store.open()).filter(({ status }) => status === 'awaiting')
  for (const { id } of waiting.filter(({ requirement }) => requirement === 'approval')) {
    // A worker that has claimed it is told to check again, and will update it.
    await actOn(services, id, (other) => nameStandIns(services, other))
  }
}

/** Returns the public sentences about an absence, also one that ends with it; undefined if the change is about none. */
export async function absenceText(
  services: Services,
  { put = [], drop = [] }: Change,
  { actor, place }: Request,
  replaced: readonly StoredRecord[],
) {
  const away = put.find((record) => record.kind === 'away')
  if (away === undefined)
    return drop.includes(awayKey(actor)) ? say('away.over', { who: { person: actor } }) : undefined
  const begun = say('away.begun', { who: { person: away.who }, to: { person: away.to }, until: { at: away.until } })
  const others = replaced.flatMap((one) => (one.kind === 'away' && !isSame(one.to, away.to) ? [one] : []))
  const ended = others
    .filter(({ until }) => services.clock.now() < until)
    .map(({ to }) => say('away.instead', { to: { person: to } }))
  const delegate = await lookUpPerson(services, away.to, place)
  const isVoter = includes(delegate?.role ?? null, 'approver')
  const more = [...ended, ...(isVoter ? [say('away.ownVote', { to: { person: away.to } })] : [])]
  return more.length === 0 ? begun : [begun, ...more]
}

/** Tells a new delegate by direct message, and one whose delegation this ends early. */
export function standInNotes({ put = [], drop = [] }: Change, records: Records, request: Request): readonly Note[] {
  const { id, receivedAt } = request
  const isAway = (record: StoredRecord | undefined): record is StandIn => record?.kind === 'away'
  const begun = put.filter(isAway)
  const ended = [...begun.map(keyOf), ...drop]
    .map((key) => records.get(key))
    .filter(isAway)
    .filter(({ to, until }) => receivedAt < until && !begun.some((one) => isSame(one.to, to)))
  return [
    ...begun.map(({ who, to, until }) =>
      directNote(`${id}.stand-in`, to, say('away.told', { until: { at: until }, who: { person: who } })),
    ),
    ...ended.map(({ who, to }) => directNote(`${id}.stood-in`, to, say('away.ended', { who: { person: who } }))),
  ]
}

function directNote(id: string, to: Actor, says: Words): Note {
  return { id, to, channel: to.user, says }
}

/** Tells the owners of a hold, by direct message, that somebody else shortened or ended it. */
export function holdNotes(change: Change, records: Records, request: Request): readonly Note[] {
  const { put = [], drop = [] } = change
  const { id, actor, endpoint, receivedAt } = request
  if (endpoint === undefined) return []
  const [before, after] = [recordOn(records, 'hold', endpoint.id), put.find((record) => record.kind === 'hold')]
  const isDropped = drop.includes(endpointKey('hold', endpoint.id))
  if (before === undefined || (after === undefined && !isDropped)) return []
  return otherKeepers(before, actor)
    .filter((one) => isCutShort(one, after?.until ?? receivedAt))
    .map(({ by, until }) => {
      const values = { name: endpoint.name, until: { at: until }, by: { person: actor } }
      const shortened = after && say('hold.shortened', { ...values, end: { at: after.until } })
      return directNote(`${id}.hold.${by.user}`, by, shortened ?? say('hold.ended', values))
    })
}

/** Returns the access of the person who asks, as seen from their channel. */
export async function ownAccess(services: Services, { actor, place }: Request): Promise<OwnAccess> {
  const [records, open, now] = [await services.store.records(), await services.store.open(), services.clock.now()]
  const mandates = await mandatesUnder(services, records, actor, place)
  const policy = services.policy()
  const waiting = open.filter((one) => waitsForPeople(one) && mandates?.(one).kind === 'may')
  const askings = [{}, ...policy.overrides].map((one: Pick<Override, 'asking'>) => ({
    ...policy.asking,
    ...one.asking,
  }))
  const asked = [actor, ...principalsOf(records, actor, now)].map((one) => lookUpPerson(services, one, place))
  const [own, ...away] = (await Promise.all(asked)).map((one) =>
    one !== null && askings.some((asking) => isApprover(one, asking, false)) ? [one.actor] : [],
  )
  return {
    absent: away.flat(),
    standIn: absencesAt(records, now).find(({ who }) => own?.some((one) => isSame(who, one))) ?? null,
    waiting: waiting.length,
    approvers: approversIn({ from: null }, (role) => policy.roles[role]),
    admins: policy.roles.admin,
  }
}

/** Gives a chosen stand-in the id that their votes will have; or says why not: only full members can approve. */
export async function withStandIn(
  services: Pick<Services, 'people'>,
  change: Change,
): Promise<Change | { readonly wrong: Words }> {
  const record = change.put?.find((one) => one.kind === 'away')
  if (record === undefined) return change
  const [person, to] = await Promise.all([services.people.who(record.to), services.people.known(record.to)])
  if (person === null || to === null) return { wrong: say('role.unchecked') }
  if (isSame(to, record.who)) return { wrong: say('away.self') }
  if (person.membership !== 'full') return { wrong: say('plan.standInMember') }
  return { ...change, put: [{ ...record, to }] }
}
