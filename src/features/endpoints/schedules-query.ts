import type { Ruled, Schedules } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Policy } from '../../core/model/policy.ts'
import { freezeAt, type IdleRule, idleKey, type Rec, type Records } from '../../core/model/records.ts'
import type { Rule } from '../../core/model/rules.ts'
import type { Asked, OwnOutcome } from '../../core/ports/query.ts'
import type { House } from '../../core/ports/services.ts'
import { bygone, findEndpoint } from '../../core/requests/find-endpoint.ts'
import { idleRuleOf } from '../idle/idle-rules.ts'
import { goneKey } from '../schedules/housekeeping.ts'
import { outlookOf, restingOwners } from '../schedules/preview.ts'
import { spellOf } from '../schedules/rules/one-offs.ts'
import { type Rulebook, rulebookOf } from '../schedules/rules/rulebook.ts'

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
    .map((endpoint) => ({
      ...ruledBy(endpoint, [all, acting], resting, now),
      ...watchedBy(endpoint, records, policy, resting),
    }))
    .map((one) => (pursuits.has(goneKey(one.endpoint.id)) ? { ...one, gone: true as const } : one))
    .filter(({ entries, idle }) => about !== null || entries.length > 0 || idle !== undefined)
    .sort((a, b) => a.endpoint.name.localeCompare(b.endpoint.name, 'en'))
  const [first] = ruled
  const outlooks =
    about === null || first === undefined || first.entries.length === 0 || first.gone
      ? []
      : outlookOf(first.rules, now, zone ?? policy.automation.zone ?? 'UTC')
  return { kind: 'answered', answer: { freeze: freezeAt(records, now), ruled, outlooks } }
}

/** What is over is kept for a while longer, for what begins where it ended; nobody has anything left to end. */
function ruledBy(
  endpoint: Endpoint,
  [all, acting]: readonly [Rulebook, Rulebook],
  resting: ReadonlySet<string>,
  now: number,
): Ruled {
  const known = all.of(endpoint)
  const once = known.once.filter((rule) => spellOf(known, rule).trail > now)
  const rules: readonly Rule[] = [...known.weekly, ...once, ...known.holds.filter(({ until }) => until > now)]
  const entries = rules.map((rule) => ({ rule, resting: rule.kind !== 'hold' && resting.has(rule.owner.user) }))
  return { endpoint: { id: endpoint.id, name: endpoint.name }, entries, rules: acting.of(endpoint) }
}

/** How it is watched for idleness, if it is, or would be if nobody had said never. */
function watchedBy(
  endpoint: Endpoint,
  records: Records,
  policy: Policy,
  resting: ReadonlySet<string>,
): Pick<Ruled, 'idle'> {
  const own = records.get(idleKey(endpoint.id))
  const isNever = own?.kind === 'idle' && own.mode === 'off' && idleRuleOf(new Map(), policy, endpoint) !== null
  const rule = isNever ? own : idleRuleOf(records, policy, endpoint)
  return rule === null ? {} : { idle: { rule, resting: resting.has(rule.owner.user) } }
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
    (one.kind === 'weekly' || one.kind === 'once' || one.kind === 'hold' || isWatch(one)) && one.endpoint !== null
      ? [one.endpoint]
      : [],
  )
  return [...new Set(ids)].filter((id) => !there.has(id))
}

function isWatch(one: Rec): one is IdleRule {
  return one.kind === 'idle' && one.mode !== 'off'
}
