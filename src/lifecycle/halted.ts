import { sentences } from '../domain/errors.ts'
import type { Check } from '../domain/explained.ts'
import { instant } from '../domain/instant.ts'
import { freezeAt, lockdownIn } from '../domain/records.ts'
import { damageTold } from './lockdown.ts'
import type { House } from './ports.ts'

/** What people and loss of data have stopped, and what is missing; nothing where that is nothing. */
export async function haltChecks({ store, clock }: Pick<House, 'store' | 'clock'>): Promise<readonly Check[]> {
  const records = await store.records()
  const [lockdown, freeze] = [lockdownIn(records), freezeAt(records, clock.now())]
  const length = freeze?.until == null ? 'until somebody thaws it' : `until ${instant(freeze.until)}`
  const frozen =
    freeze === null ? [] : [{ name: 'Freeze', well: true, says: `Automation is frozen ${length}.` } as const]
  if (lockdown === null) return frozen
  const missing = await damageTold({ store, clock })
  return [{ name: 'Lockdown', well: false, says: `${sentences.lockedDown(lockdown.why)} ${missing.says}` }, ...frozen]
}
