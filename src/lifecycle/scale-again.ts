import type { Seen } from '../domain/progress.ts'
import type { Offer } from '../domain/shown.ts'
import { operationIn } from '../operations/stored.ts'
import { writeWord } from '../operations/words.ts'
import type { Work } from './work.ts'

/**
 * A start may come back with fewer replicas than there were when it was stopped from here: the count before is offered
 * as a button. Nothing is scaled unasked, since a person started it.
 */
export async function scaleAgain(
  { house, request, id }: Work,
  seen: Seen,
): Promise<{ readonly offers?: readonly Offer[] }> {
  if (operationIn(request.line).row.name !== 'start' || seen.replicas === undefined) return {}
  const stop = await house.store.lastDone(id)
  const before = stop?.progress?.[0]?.sends[0]?.before.replicas
  if (stop === null || before === undefined || operationIn(stop.line).row.name !== 'stop' || before <= seen.replicas)
    return {}
  return { offers: [{ label: `Scale to ${before} again`, line: `scale ${writeWord(id)} to ${before}` }] }
}
