import type { Seen } from '../domain/progress.ts'
import type { Request } from '../domain/request.ts'
import type { Offer } from '../domain/shown.ts'
import type { Work } from './work.ts'

/**
 * A start may come back with fewer replicas than there were when it was stopped from here: the count before is offered
 * as a button. Nothing is scaled unasked, since a person started it. `last`: what was done before the start.
 */
export function scaleAgain(
  { house: { commands }, id }: Pick<Work, 'house' | 'id'>,
  { replicas }: Seen,
  last: Request | null,
): { readonly offers?: readonly Offer[] } {
  const before = last?.progress?.[0]?.sends[0]?.before.replicas
  if (last === null || replicas === undefined || before === undefined || before <= replicas) return {}
  if (commands.operation(last.line).row.wants !== 'down') return {}
  return {
    offers: [{ label: `Scale to ${before} again`, line: commands.write('scale', { endpoint: id, to: before }) }],
  }
}
