import type { Actor } from '../../core/model/actor.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Pursuit, Records } from '../../core/model/records.ts'
import type { House } from '../../core/ports/services.ts'
import { mayAct } from '../../core/requests/authorize.ts'
import { lineLaying } from './rule-lines.ts'
import { textOf } from './rules/describe.ts'

/**
 * Owners of rules who may not operate here any more, by their user id: their rules rest. It is said once, with the way
 * to take them over. Who cannot be looked up now makes their rules rest as well, without a word.
 */
export async function absentOwners(
  house: House,
  records: Records,
  pursuits: ReadonlyMap<string, Pursuit>,
  listed: readonly Endpoint[],
): Promise<ReadonlySet<string>> {
  const owners = new Map<string, Actor>()
  for (const record of records.values())
    if (record.kind === 'weekly' || record.kind === 'once') owners.set(record.owner.user, record.owner)
  const gone = new Set<string>()
  for (const [user, owner] of owners) {
    const standing = await mayAct(house, owner, { channel: '', chosen: true }, 'operator')
    if (standing.kind === 'may') {
      if (pursuits.has(ownerKey(user))) await house.store.notePursuits(new Map([[ownerKey(user), null]]))
      continue
    }
    gone.add(user)
    if (standing.unsure !== true && !pursuits.has(ownerKey(user))) await tell(house, records, listed, owner)
  }
  return gone
}

/** What is noted of an owner whose rules rest. */
export function ownerKey(user: string): string {
  return `owner ${user}`
}

async function tell(house: House, records: Records, listed: readonly Endpoint[], owner: Actor): Promise<void> {
  const { user } = owner
  const now = house.clock.now()
  const ruling = [...records.values()].filter((one) => one.kind === 'weekly' || one.kind === 'once')
  const rules = ruling.filter(
    (one) => one.owner.user === user && (one.kind === 'weekly' || now < (one.until ?? one.at)),
  )
  const names = new Map(listed.map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null): string => names.get(id ?? '') ?? id ?? ''
  const note: Pursuit = { occurrence: ownerKey(user), state: 'left', attempts: 0, at: now }
  await house.store.notePursuits(new Map([[ownerKey(user), note]]))
  const offers = rules.slice(0, 5).flatMap((rule) => {
    const line = lineLaying(rule, house.commands.write)
    return line === null ? [] : [{ label: `Take over ${nameOf(rule.endpoint)}`, line }]
  })
  const texts = rules.map((rule) => `${nameOf(rule.endpoint)}: ${textOf(rule)}`)
  const says = ['Rules rest, since whoever made them may not operate here any more:', ...texts].join('\n')
  void house.announce(says, offers, owner)
}
