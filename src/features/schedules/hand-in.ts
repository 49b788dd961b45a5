import { createHash } from 'node:crypto'
import { type Actor, isSame, policyFile } from '../../core/model/actor.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { terms } from '../../core/model/limits.ts'
import type { Ending, Request } from '../../core/model/request.ts'
import type { Held, House } from '../../core/ports/services.ts'
import { costsOf } from '../savings/cost.ts'
import { pricesNow } from '../savings/prices.ts'
import { type Looked, leftAs, ruleText } from './look.ts'
import { bookFor } from './rulebook-cache.ts'
import { type Decider, desired } from './rules/desired-state.ts'
import { withLateness } from './rules/reconcile-decision.ts'

/** The same occurrence is the same request, however often and by whomever it is handed in. */
export function idOf({ project }: Pick<House, 'project'>, occurrence: string, attempt: number): string {
  return createHash('sha256').update(`${project} ${occurrence} ${attempt}`).digest('base64url').slice(0, 22)
}

interface HandedIn extends Looked {
  readonly occurrence: string
  readonly attempt: number
  readonly want: 'up' | 'down'
  readonly due: number
  readonly nominal: number
  readonly by: Decider
}

/** Hands a start or a stop in at the door that people's lines come in by; it lives the same life. */
export async function handIn(house: House, one: HandedIn): Promise<void> {
  const channel = house.operationsChannel()
  if (channel === undefined) {
    house.log.warn({ endpoint: one.endpoint.id }, 'there is no operations channel to tell anybody of a rule')
    return
  }
  const { endpoint, occurrence, attempt, want, due, nominal, by, now } = one
  const line =
    want === 'down'
      ? house.commands.write('stop', { endpoint: endpoint.id })
      : house.commands.write('start', { endpoint: endpoint.id, replicas: await replicasBefore(house, endpoint.id) })
  const asked = await askedIn(house, one)
  const rule = asked === null ? ruleText(by) : ''
  const request: Request = {
    id: idOf(house, occurrence, attempt),
    project: house.project,
    kind: 'operation',
    line,
    actor: ownerOf(by),
    place: { channel, chosen: true },
    via: 'schedule',
    occurrence,
    due: want === 'up' && nominal > 0 ? nominal : due,
    ...(asked !== null && { asked }),
    reason: now - nominal > terms.late ? withLateness(rule, now - nominal) : rule,
    ...(want === 'down' && (await leaving(house, one))),
    receivedAt: now,
    status: 'received',
    notes: [],
    nextAt: now,
  }
  await house.store.receive(request, undefined)
  await house.queue.wake(request, '0').catch(() => undefined)
}

/** The line of a one-off as somebody has asked for it; null of any other rule, or where it is not remembered. */
async function askedIn(house: House, { by, endpoint }: HandedIn): Promise<string | null> {
  if (typeof by === 'string' || by.kind !== 'once') return null
  const asked = await house.store.load(by.id)
  return asked === null ? null : house.commands.called(asked.line, endpoint)
}

/** What it costs to leave it up, and until when that is. */
async function leaving(house: House, { endpoint, rules, now, due, by }: HandedIn): Promise<Pick<Request, 'costs'>> {
  const { until } = desired(rules, due)
  const up = until !== null && desired(rules, until).want === 'up' ? until : null
  const { bounds } = house.policy()
  const prices = await pricesNow(house)
  const choice = { now, due, until, up, zone: await zoneOf(house, by), keep: bounds.keep }
  return { costs: costsOf(prices, endpoint, choice) }
}

/** In which a morning is meant: that of the rule, else of the team, else of the rule's owner; null: nobody knows. */
export async function zoneOf(house: House, by: Decider): Promise<string | null> {
  if (typeof by !== 'string' && by.kind === 'weekly') return by.zone
  const owner = ownerOf(by)
  return house.policy().automation.zone ?? (isSame(owner, policyFile) ? null : await house.people.zoneOf(owner))
}

function ownerOf(by: Decider): Actor {
  if (typeof by === 'string') return policyFile
  if (by.kind === 'hold') return by.by === 'console' ? policyFile : by.by
  return by.owner
}

/** As many as it had when it was last stopped from here; undefined where that is not known, or was one. */
async function replicasBefore(house: House, endpoint: string): Promise<number | undefined> {
  const last = await house.store.lastDone(endpoint)
  if (last === null || house.commands.operation(last.line).row.wants !== 'down') return undefined
  const replicas = last.progress?.[0]?.sends[0]?.before.replicas
  return replicas !== undefined && replicas > 1 ? replicas : undefined
}

/** Why what a rule has handed in is not to be done any more, or null. What a person has said yes to is theirs. */
export async function unwanted(
  house: House,
  { request: { via, decision }, command }: Held,
  endpoint: Endpoint | undefined,
): Promise<Pick<Ending, 'says' | 'keptBy'> | null> {
  if (via !== 'schedule' || decision !== undefined || endpoint === undefined) return null
  const now = house.clock.now()
  const rules = bookFor(house, await house.store.records()).of(endpoint)
  const { want } = desired(rules, now)
  return want === command.row.wants ? null : leftAs(endpoint.name, rules, now)
}
