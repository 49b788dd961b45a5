import type { Actor } from '../domain/actor.ts'
import { instant } from '../domain/instant.ts'
import { awayKey, type Change, holdKey, type Records, type StandIn } from '../domain/records.ts'
import type { Note, Request } from '../domain/request.ts'
import { isCutShort, otherKeepers } from '../domain/rules.ts'
import type { Told } from '../domain/told.ts'

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
