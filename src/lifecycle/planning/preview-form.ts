import type { Actor } from '../../core/model/actor.ts'
import type { Foreseen } from '../../core/ports/query.ts'
import type { House } from '../../core/ports/services.ts'
import { atOnce, outlookAfter } from '../../features/schedules/preview.ts'
import { groundOf } from './plan-change.ts'

type Knows = Pick<House, 'policy' | 'people' | 'operationsChannel' | 'clock' | 'commands'> & {
  readonly store: Pick<House['store'], 'names' | 'records'>
}

/**
 * What the line of an operation would lay down, as far as what is stored tells: nobody calls the platform for it. Null
 * where it lays down no rule, or its endpoint is in no list yet. Whoever asks for it then is judged on what is read live.
 */
export async function foresee(house: Knows, actor: Actor, line: string): Promise<Foreseen | null> {
  const { row, values } = house.commands.operation(line)
  if (row.change === undefined || !('endpoint' in row.fields) || row.laterBy?.(values) === false) return null
  const [listed, records, zone] = await Promise.all([
    house.store.names(),
    house.store.records(),
    house.people.zoneOf(actor),
  ])
  const word = String(values['endpoint'])
  const found = listed?.endpoints.filter(({ id, name }) => id === word || name === word) ?? []
  const [endpoint] = found
  if (endpoint === undefined || found.length > 1) return null
  const [policy, now] = [house.policy(), house.clock.now()]
  const known = { records, policy, endpoint }
  const operationsChannel = house.operationsChannel() !== undefined
  const by = { id: 'new', by: actor, role: null, at: now, zone: zone ?? 'UTC', operationsChannel }
  const made = row.change(values, groundOf(known, by))
  if ('wrong' in made) return { kind: 'wrong', says: made.wrong }
  const outlooks = outlookAfter(made.change, { ...known, now, zone: by.zone })
  const means = [atOnce(made.change, { ...known, now }), made.means].filter((part) => part !== '')
  return outlooks.length === 0 ? null : { kind: 'rule', name: endpoint.name, means, outlooks }
}
