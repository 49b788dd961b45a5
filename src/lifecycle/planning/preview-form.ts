import type { ChangeContext, Changing } from '../../core/commands/define.ts'
import { neededFor } from '../../core/commands/permissions.ts'
import { type Endpoint, namedAmong } from '../../core/model/endpoint.ts'
import { lockdownIn, recordOn } from '../../core/model/records.ts'
import { includes, names } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { unfitFence } from '../../core/policy/programs.ts'
import type { BotServices, FormPreview } from '../../core/ports/services.ts'
import { lookUpPerson } from '../../core/requests/authorize.ts'
import type { Whereabouts } from '../../core/requests/gateway.ts'
import { withStandIn } from '../../features/approvals/stand-ins.ts'
import { isLike } from '../../features/idle/command.ts'
import { atOnce, previewDaysAfter } from '../../features/schedules/preview.ts'
import { changeContext } from './plan.ts'

/**
 * Returns what is wrong with an operation's values, or a preview of its rule, from stored data alone. Null if there is
 * nothing to say or the endpoint is not listed yet. The request itself is planned on a live read.
 */
export async function previewForm(
  services: BotServices,
  where: Whereabouts,
  line: string,
): Promise<FormPreview | null> {
  const { row, values } = services.commands.operation(line)
  const { actor } = where
  const [listed, records, zone, asker] = await Promise.all([
    services.store.names(),
    services.store.records(),
    services.people.zoneOf(actor),
    lookUpPerson(services, actor, where),
  ])
  // Such a line is refused when a worker takes it, whatever its values.
  if (asker === null || !includes(asker.role, neededFor(row, values))) return null
  if (lockdownIn(records) !== null && row.safe !== true) return null
  const [policy, now] = [services.policy(), services.clock.now()]
  const beyond = row.nonsense?.(values, policy.bounds) || null
  if (beyond !== null) return { kind: 'wrong', says: beyond.says, field: beyond.field }
  const change = row.laterBy?.(values) === false ? undefined : row.change?.bind(row)
  if (change === undefined) return null
  const isAbout = 'endpoint' in row.fields
  const word = values['endpoint']
  const [endpoint, ...others] = isAbout
    ? (listed?.endpoints.filter(({ id, name }) => id === word || name === word) ?? [])
    : []
  if (isAbout && (endpoint === undefined || others.length > 0)) return null
  const by = {
    id: 'new',
    by: actor,
    role: asker.role,
    // Only a worker knows whether there is a key for the digest.
    tokenDigest: policy.tokens.some((one) => names(one, asker.person)) ? '' : undefined,
    at: now,
    now,
    zone: zone ?? 'UTC',
    operationsChannel: services.operationsChannel() !== undefined,
  }
  const groundOf = (one: Endpoint | undefined): ChangeContext => changeContext({ records, policy, endpoint: one }, by)
  const made = change(values, groundOf(endpoint))
  if ('wrong' in made) {
    // The endpoint may have started or stopped since it was listed.
    const turned = endpoint && change(values, groundOf({ ...endpoint, active: endpoint.active !== true }))
    return turned === undefined || 'wrong' in turned ? wrongIn(made, endpoint) : null
  }
  const standIn = await withStandIn(services, made.change)
  if ('wrong' in standIn) return { kind: 'wrong', says: standIn.wrong, field: 'to' }
  const fence = unfitFence(services, made.change)
  if (fence !== null) return { kind: 'wrong', says: fence, field: 'only' }
  if (endpoint === undefined) return null
  const [put] = made.change.put ?? []
  // A form sent as it was opened changes nothing, whoever owns the rule. The button to take it over is no form.
  if (put?.kind === 'idle' && isLike(recordOn(records, 'idle', endpoint.id), put))
    return { kind: 'wrong', says: say('schedule.known', { name: endpoint.name }) }
  const known = { records, policy, endpoint, now }
  const outlooks = previewDaysAfter(made.change, known, by.zone)
  const soon = atOnce(made.change, known)
  const means = [soon === '' ? say('schedule.nothingNow', { name: endpoint.name }) : soon, made.means].filter(
    (part) => part !== '',
  )
  const { id, name, ambiguous } = namedAmong(endpoint, listed?.endpoints ?? [])
  return outlooks.length === 0 ? null : { kind: 'rule', name: ambiguous ? `${name} (${id})` : name, means, outlooks }
}

function wrongIn(
  { wrong, field }: Extract<Changing, { readonly wrong: unknown }>,
  endpoint: Endpoint | undefined,
): FormPreview {
  if (field !== 'autoscaled' || endpoint === undefined)
    return { kind: 'wrong', says: wrong, ...(field !== undefined && { field }) }
  const option = say('option.autoscaling.yes')
  return { kind: 'wrong', says: say('form.untickedAutoscaled', { name: endpoint.name, option }), field }
}
