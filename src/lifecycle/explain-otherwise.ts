import { type Demand, demandOf } from '../domain/demand.ts'
import type { Records } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import type { Command } from '../operations/commands.ts'
import type { Operation } from '../operations/define.ts'
import { groundOf } from './change.ts'
import { exposureOf } from './facts.ts'
import type { Standing } from './identify.ts'
import type { House } from './ports.ts'
import { readEndpoint } from './read.ts'

/** What a change of our own records would take if there were something to change; null where that is nothing. */
export async function demandOtherwise(
  house: House,
  { id, endpoint: about, actor: by, receivedAt: at }: Request,
  { row, values }: Command<Operation>,
  mine: Standing,
): Promise<{ readonly demand: Demand; readonly records: Records } | null> {
  if (row.change === undefined || row.laterBy?.(values) === false) return null
  const [policy, records] = [house.policy(), await house.store.records()]
  const read = about === undefined ? undefined : await readEndpoint(house, about.id)
  const endpoint = read?.kind === 'read' ? read.endpoint : undefined
  const role = mine.kind === 'may' ? mine.role : null
  const known = { id, by, role, at, zone: 'UTC', operationsChannel: house.operationsChannel() !== undefined }
  const impact = row.impact(values, groundOf({ records, policy, endpoint }, known))
  const now = endpoint === undefined ? 'active' : exposureOf(endpoint, policy, records)
  const demand = demandOf(policy, impact, now === 'dormant' ? 'active' : now, endpoint)
  return demand.requirement === 'nothing' ? null : { demand, records }
}
