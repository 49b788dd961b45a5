import type { Check } from '../domain/explained.ts'
import { call } from '../operations/call.ts'
import { type Platform, withRemedy } from './platform.ts'

/** Whether the platform takes our key, and what it says if not. */
export async function keyCheck(platform: Platform): Promise<Check> {
  const name = 'Platform key'
  const outcome = await platform.send(call('get', '/me'))
  if (outcome.kind !== 'answered') return { name, well: false, says: withRemedy(outcome) }
  return { name, well: true, says: `It stands for project ${outcome.answer.project}.` }
}
