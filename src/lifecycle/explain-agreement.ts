import { answerersOf, confirmerOf } from '../domain/answering.ts'
import type { Asking } from '../domain/demand.ts'
import { lasting } from '../domain/duration.ts'
import type { Explained } from '../domain/explained.ts'
import { instant } from '../domain/instant.ts'
import type { Member } from '../domain/policy.ts'
import type { Records } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import type { House } from './ports.ts'
import type { Proposal } from './propose.ts'
import { standInsFor } from './stand-ins.ts'
import { unableAmong } from './unable.ts'

type Items = Explained['items']

/** Who could agree to what somebody asks for, how long they would have, and who in whose place. */
export async function agreement(
  house: House,
  request: Request,
  { demand, change, records }: Pick<Proposal, 'demand' | 'change' | 'records'>,
): Promise<Items> {
  const { requirement, asking, rule } = demand
  if (requirement === 'refusal') return [{ text: `Nobody can: it is refused by ${rule}.` }]
  if (requirement === 'nothing') return []
  const { roles } = house.policy()
  const listed =
    confirmerOf({ change }) === 'admin' ? roles.admin : answerersOf(requirement, asking, (role) => roles[role])
  const { actor } = request
  const later = asking.fallback?.to ?? []
  const unable = await unableAmong(house, actor.team, [...listed, ...later, ...roles.admin])
  const within = `within ${lasting(asking.expires)}`
  if (requirement === 'confirmation') return agreeing(`These could agree, ${within}:`, but(listed, unable))
  const others = [...unable, actor.user]
  return [
    ...agreeing(`${havingTo(asking.needed)} to agree, ${within}; never the requester:`, but(listed, others)),
    ...named(`After ${lasting(asking.fallback?.after ?? 0)} without an answer also:`, but(later, others)),
    ...(await standIns(house, request, asking, records)),
    ...named(
      'In an emergency one of these alone, with a reason and told to all (break-glass):',
      but(roles.admin, unable),
    ),
  ]
}

function agreeing(text: string, whom: readonly Member[]): Items {
  return whom.length === 0 ? [{ text: 'Nobody could agree: the policy names nobody who may.' }] : [{ text, whom }]
}

function named(text: string, whom: readonly Member[]): Items {
  return whom.length === 0 ? [] : [{ text, whom }]
}

function havingTo(needed: number): string {
  return needed === 1 ? 'One of these has' : `${needed} of these have`
}

/** Those who may answer for an approver that is away now. */
async function standIns(house: House, request: Request, asking: Asking, records: Records): Promise<Items> {
  const found = await standInsFor(house, request, asking, records)
  return (found ?? []).map(({ of: who, to, until }) => ({
    text: `Until ${instant(until)} in the place of somebody else:`,
    whom: [{ kind: 'user', id: to.user }],
    who,
    detail: 'is away',
  }))
}

/** Each member once, but for some people, by user id. */
function but(members: readonly Member[], without: readonly string[]): readonly Member[] {
  const others = members.filter((member) => !(member.kind === 'user' && without.includes(member.id)))
  return others.filter((one, at) => others.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at)
}
