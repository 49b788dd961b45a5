import { namedAmong } from '../../core/model/endpoint.ts'
import type { Actor } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import type { FormPreview, Services } from '../../core/ports/services.ts'
import { atOnce, previewDaysAfter } from '../../features/schedules/preview.ts'
import { changeContext } from './plan.ts'

type Knows = Pick<Services, 'policy' | 'people' | 'operationsChannel' | 'clock' | 'commands'> & {
  readonly store: Pick<Services['store'], 'names' | 'records'>
}

/**
 * The rule that an operation's line would make, from stored data alone: the platform is not called. Null if it makes no
 * rule, or its endpoint is not listed yet. The request itself is planned on a live read.
 */
export async function previewForm(services: Knows, actor: Actor, line: string): Promise<FormPreview | null> {
  const { row, values } = services.commands.operation(line)
  if (row.change === undefined || !('endpoint' in row.fields) || row.laterBy?.(values) === false) return null
  const [listed, records, zone] = await Promise.all([
    services.store.names(),
    services.store.records(),
    services.people.zoneOf(actor),
  ])
  const word = String(values['endpoint'])
  const found = listed?.endpoints.filter(({ id, name }) => id === word || name === word) ?? []
  const [endpoint] = found
  if (endpoint === undefined || found.length > 1) return null
  const [policy, now] = [services.policy(), services.clock.now()]
  const known = { records, policy, endpoint }
  const operationsChannel = services.operationsChannel() !== undefined
  const by = { id: 'new', by: actor, role: null, tokenDigest: '', at: now, zone: zone ?? 'UTC', operationsChannel }
  const made = row.change(values, changeContext(known, by))
  if ('wrong' in made && made.unticked !== undefined) {
    const option = say('option.autoscaling.yes')
    return {
      kind: 'wrong',
      says: say('form.untickedAutoscaled', { name: endpoint.name, option }),
      field: made.unticked,
    }
  }
  if ('wrong' in made) return { kind: 'wrong', says: made.wrong }
  const outlooks = previewDaysAfter(made.change, { ...known, now }, by.zone)
  const soon = atOnce(made.change, { ...known, now })
  const means = [soon === '' ? say('schedule.nothingNow', { name: endpoint.name }) : soon, made.means].filter(
    (part) => part !== '',
  )
  const { id, name, ambiguous } = namedAmong(endpoint, listed?.endpoints ?? [])
  return outlooks.length === 0 ? null : { kind: 'rule', name: ambiguous ? `${name} (${id})` : name, means, outlooks }
}
