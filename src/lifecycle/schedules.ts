import type { Endpoint } from '../domain/endpoint.ts'
import { freezeAt, type Records } from '../domain/records.ts'
import { type Rulebook, rulebookOf } from '../domain/rulebook.ts'
import type { Rule } from '../domain/rules.ts'
import type { Ruled, Schedules } from '../domain/schedules.ts'
import { bygone } from './bygone.ts'
import { findEndpoint } from './find.ts'
import { goneKey } from './gone.ts'
import { outlookOf, restingOwners } from './outlook.ts'
import type { Asked, OwnOutcome } from './own.ts'
import type { House } from './ports.ts'

/** What is laid down, of one endpoint or of all. Endpoints that the platform has no more are shown by the names they had. */
export async function schedulesOf(house: House, { request, values }: Asked): Promise<OwnOutcome<Schedules>> {
  const about =
    values['on'] === undefined ? null : await findEndpoint(house, String(values['on']), 'schedules', 'query')
  if (about?.kind === 'later') return { kind: 'unknown', says: about.says }
  if (about?.kind === 'none') return about
  const [records, pursuits, listed, zone] = await Promise.all([
    house.store.records(),
    house.store.pursuits(),
    endpointsOf(house),
    house.people.zoneOf(request.actor),
  ])
  const [policy, now] = [house.policy(), house.clock.now()]
  const resting = restingOwners(records, pursuits)
  const all = rulebookOf(records, policy, now)
  const acting = rulebookOf(records, policy, now, resting)
  const others = await Promise.all(
    strangers(records, listed).map(async (id) => (await bygone(house, id)) ?? { id, name: id }),
  )
  const meant = about === null ? [...listed, ...others.map((one) => known([], one))] : [known(listed, about.endpoint)]
  const ruled = meant
    .map((endpoint) => ruledBy(endpoint, all, acting, resting))
    .map((one) => (pursuits.has(goneKey(one.endpoint.id)) ? { ...one, gone: true as const } : one))
    .filter(({ entries }) => about !== null || entries.length > 0)
    .sort((a, b) => a.endpoint.name.localeCompare(b.endpoint.name, 'en'))
  const [first] = ruled
  const outlooks =
    about === null || first === undefined || first.entries.length === 0 || first.gone
      ? []
      : outlookOf(first.rules, now, zone ?? policy.automation.zone ?? 'UTC')
  return { kind: 'answered', answer: { freeze: freezeAt(records, now), ruled, outlooks } }
}

function ruledBy(endpoint: Endpoint, all: Rulebook, acting: Rulebook, resting: ReadonlySet<string>): Ruled {
  const { weekly, once, holds } = all.of(endpoint)
  const rules: readonly Rule[] = [...weekly, ...once, ...holds]
  const entries = rules.map((rule) => ({ rule, resting: rule.kind !== 'hold' && resting.has(rule.owner.user) }))
  return { endpoint: { id: endpoint.id, name: endpoint.name }, entries, rules: acting.of(endpoint) }
}

/** As the platform has them now, else as they were last listed. */
async function endpointsOf({ platform, store }: House): Promise<readonly Endpoint[]> {
  const listed = await platform.list()
  return listed.kind === 'answered' ? listed.answer : ((await store.names())?.endpoints ?? [])
}

function known(listed: readonly Endpoint[], found: Pick<Endpoint, 'id' | 'name'>): Endpoint {
  return listed.find(({ id }) => id === found.id) ?? { active: null, ...found }
}

/** Ids of what has rules and is in no list. */
function strangers(records: Records, listed: readonly Endpoint[]): readonly string[] {
  const there = new Set(listed.map(({ id }) => id))
  const ids = [...records.values()].flatMap((one) =>
    (one.kind === 'weekly' || one.kind === 'once' || one.kind === 'hold') && one.endpoint !== null
      ? [one.endpoint]
      : [],
  )
  return [...new Set(ids)].filter((id) => !there.has(id))
}
