import type { Endpoint } from '../../core/model/endpoint.ts'
import type { Costs, Request } from '../../core/model/request.ts'
import type { Rules } from '../../core/model/rules.ts'
import type { Services } from '../../core/ports/services.ts'
import { readEndpoint } from '../../core/requests/find-endpoint.ts'
import { costsOf, pricesNow } from '../savings/prices.ts'
import { ownersZone, zoneOf } from './look.ts'
import { rulesNow } from './preview.ts'
import { nextChange, onlyOneOffAt, stoppedFor } from './rules/coming.ts'
import { desired } from './rules/desired-state.ts'

/** Returns the cost of leaving up an endpoint that stops at `due` (ms). Nobody knows when an idle stop comes again. */
export async function costsOfLeaving(
  services: Services,
  endpoint: Endpoint,
  rules: Rules,
  { via, due, zone }: { readonly via: Request['via']; readonly due: number; readonly zone: string | null },
): Promise<Costs> {
  const { keep } = services.policy().bounds
  const stoppedUntil = (to: number) => stoppedFor(rules, due, to)
  const now = services.clock.now()
  const planned = via === 'idle' ? null : onlyOneOffAt(rules, due, 'down')
  const next = planned === null ? desired(rules, due).until : stopAfter(planned.rest, due)
  const until = via === 'idle' ? null : next
  const isOpen = until === null || (planned === null && desired(rules, until).want !== 'up')
  const costs = costsOf(await pricesNow(services), endpoint, { now, due, until, isOpen, stoppedUntil, zone, keep })
  return planned === null ? costs : { ...costs, unpaused: true }
}

function stopAfter(rules: Rules, ms: number): number | null {
  const next = nextChange(rules, ms)
  return next?.want === 'down' ? next.at : null
}

/** Whether a schedule starts the endpoint of this announced stop by `due` (ms), which would undo the stop. */
export async function startsBefore(
  services: Services,
  { via, costs, endpoint }: Request,
  due: number,
): Promise<boolean> {
  if (via !== 'schedule' || costs === undefined || endpoint === undefined) return false
  const read = await readEndpoint(services, endpoint.id, 'half')
  const rulesOf = await rulesNow(services, 'known')
  return read.kind === 'read' && desired(rulesOf(read.endpoint), due).want === 'up'
}

/** Returns the costs of leaving up an endpoint whose stop is put off to `due` (ms): earlier offers may expire. */
export async function costsPutOff(services: Services, request: Request, due: number): Promise<Pick<Request, 'costs'>> {
  const { costs, endpoint } = request
  if (costs === undefined || endpoint === undefined) return {}
  const read = await readEndpoint(services, endpoint.id, 'half')
  return { costs: read.kind === 'read' ? await costsNow(services, request, read.endpoint, due) : {} }
}

/** Returns the costs of leaving up an endpoint, as just read, whose announced stop is due at `due` (ms). */
export async function costsNow(services: Services, { actor, via }: Request, endpoint: Endpoint, due: number) {
  const rules = (await rulesNow(services, 'known'))(endpoint)
  const zone = await (via === 'idle' ? ownersZone(services, actor) : zoneOf(services, desired(rules, due).by))
  return costsOfLeaving(services, endpoint, rules, { via, due, zone })
}
