import type { Place } from '../domain/actor.ts'
import { answerersOf, confirmerOf } from '../domain/answering.ts'
import type { Asking } from '../domain/demand.ts'
import { lasting } from '../domain/duration.ts'
import type { Explained } from '../domain/explained.ts'
import { instant } from '../domain/instant.ts'
import type { Member } from '../domain/policy.ts'
import type { Records } from '../domain/records.ts'
import type { House } from './ports.ts'
import type { Proposal } from './propose.ts'
import { standInsNow } from './stand-ins.ts'

type Items = Explained['items']

/** Who could agree to something that is asked at a place, how long they would have, and who in whose place. */
export async function agreement(
  house: House,
  place: Place,
  { demand, change, records }: Pick<Proposal, 'demand' | 'change' | 'records'>,
): Promise<Items> {
  const { requirement, asking, rule } = demand
  if (requirement === 'refusal') return [{ text: `Nobody can: it is refused by ${rule}.` }]
  if (requirement === 'nothing') return []
  const { roles } = house.policy()
  const listed =
    confirmerOf({ change }) === 'admin' ? roles.admin : answerersOf(requirement, asking, (role) => roles[role])
  if (listed.length === 0) return [{ text: 'Nobody could agree: the policy gives nobody the role for it.' }]
  const within = `within ${lasting(asking.expires)}`
  if (requirement === 'confirmation') return [{ text: `These could agree, ${within}:`, whom: unique(listed) }]
  return [
    { text: `${havingTo(asking.needed)} to agree, ${within}; never whoever asks for it:`, whom: unique(listed) },
    ...later(asking),
    ...(await standIns(house, place, asking, records)),
    ...byGlass(roles.admin),
  ]
}

function havingTo(needed: number): string {
  return needed === 1 ? 'One of these has' : `${needed} of these have`
}

function later({ fallback }: Asking): Items {
  if (fallback === null) return []
  return [{ text: `After ${lasting(fallback.after)} without an answer also:`, whom: unique(fallback.to) }]
}

/** Those who may answer for an approver that is away now. */
async function standIns(house: House, place: Place, asking: Asking, records: Records): Promise<Items> {
  const found = await standInsNow(house, place, asking, records)
  return (found ?? []).map(({ who, to, until }) => ({
    text: `Until ${instant(until)} in the place of somebody else:`,
    whom: [{ kind: 'user', id: to.user }],
    who,
    detail: 'is away',
  }))
}

function byGlass(admins: readonly Member[]): Items {
  if (admins.length === 0) return []
  return [{ text: 'In an emergency one of these alone, with a reason and told to all (break-glass):', whom: admins }]
}

function unique(members: readonly Member[]): readonly Member[] {
  return members.filter((one, at) => members.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at)
}
