import { everything } from '../commands/near.ts'
import type { Read } from '../commands/parse.ts'
import { fits, idleRuleOf, noPrices } from '../model/automation.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { RunningNow } from '../model/query-answer.ts'
import { isRule } from '../model/records.ts'
import type { Actor } from '../model/roles.ts'
import { say } from '../model/words.ts'
import { dayMs } from '../time/calendar.ts'
import { noRoleText } from './authorize.ts'
import { gatewayFor, inTime, type ProjectGateway, possible, roleIn, type Whereabouts, whyClosedTo } from './gateway.ts'

const unknown: RunningNow = { prices: noPrices, idling: [] }

/** A project's overview for a person outside all channels; `role` is null if they have none in this project. */
export type Overview = Awaited<ReturnType<typeof overviewOf>>

/** `saved` is null and `idling` empty if slow or failed; other failures throw. `listed` is null before any list. */
export async function overviewOf({ project, store, home, zoneOf, automation }: ProjectGateway, viewer: Actor) {
  const names = store.names()
  const runs = names.then((found) => home.running(found?.endpoints ?? []))
  const [role, mayAnswer, open, coming, saved, running, listed, zone, records] = await Promise.all([
    home.roleOf(viewer, ''),
    home.answersOf(viewer),
    store.open(),
    home.coming(dayMs),
    inTime(home.saved(), null),
    inTime(runs, unknown),
    names,
    inTime(zoneOf(viewer), null),
    store.records(),
  ])
  const policy = { automation: automation() }
  const isRuled = (endpoint: Endpoint) =>
    idleRuleOf(records, policy, endpoint) !== null ||
    policy.automation.team.some(({ match, rules }) => rules.length > 0 && match.some((one) => fits(one, endpoint)))
  const ruled = [...records.values()].some(isRule) || (listed?.endpoints.some(isRuled) ?? false)
  const { membersOf } = home
  return { project, role, mayAnswer, membersOf, open, coming, ruled, records, saved, ...running, listed, zone }
}

/** Returns what is known in time about one endpoint. */
export async function aheadOf({ home, store }: ProjectGateway, endpoint: Endpoint) {
  const [open, running, records] = await Promise.all([
    inTime(store.open(), []),
    inTime(home.running([endpoint]), unknown),
    inTime(store.records(), new Map()),
  ])
  return { open, records, ...running }
}

/** Lists the endpoints that a person may pick from, as last listed; null for people without a role. */
export async function endpointsFor(gateways: readonly ProjectGateway[], where: Whereabouts) {
  const gateway = gatewayFor(gateways, where)
  if (gateway === undefined || (await whyClosedTo(gateway, where)) !== null) return null
  return (await gateway.store.names())?.endpoints ?? []
}

/** Returns the content of the menu at a place; `closed` says why a person sees none. Waiting requests are left out if the lookup is slow. */
export async function menuAt(gateways: readonly ProjectGateway[], where: Whereabouts) {
  const { actor, channel } = where
  const waiting = async ({ project, store, home: { roleOf, answersOf, membersOf } }: ProjectGateway) => {
    const [role, mayAnswer, open] = await Promise.all([roleOf(actor, channel), answersOf(actor), store.open()])
    return role === null ? [] : [{ project, mayAnswer, membersOf, open }]
  }
  const here = possible(gateways, where)
  const asked = here.map((one) => inTime(waiting(one), []))
  const [role, ...found] = await Promise.all([roleIn(gateways, where), ...asked])
  const closed = role ? null : here.length === 0 ? say('project.none') : noRoleText(role)
  return { role, closed, project: gatewayFor(gateways, where)?.project, asks: found.flat() }
}

/** Rereads a line whose endpoint name, such as "everything", is not in the list. Without a list, the line stays. */
export async function nameOrNot(gateway: ProjectGateway | undefined, read: Read): Promise<Read> {
  if (read.kind !== 'line') return read
  const { row, values } = read.read
  const name = String(values['endpoint'])
  const many: Read = { kind: 'misread', says: say('endpoint.each'), begun: { row, values: {} } }
  const perhaps = read.perhaps ?? (row.kind === 'operation' && everything.test(name) ? many : undefined)
  const listed = perhaps && (await gateway?.store.names().catch(() => null))
  const isName = (one: string) =>
    one === name || (row.kind === 'query' && one.toLowerCase().startsWith(name.toLowerCase()))
  return !perhaps || !listed || listed.endpoints.some((one) => one.id === name || isName(one.name)) ? read : perhaps
}
