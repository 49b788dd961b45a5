import type { Check } from '../../core/model/answer.ts'
import { type Acknowledged, freezeAt, lockdownIn } from '../../core/model/records.ts'
import { sentences, stillAllowed } from '../../core/model/sentences.ts'
import { type House, Tampered } from '../../core/ports/services.ts'
import { instant } from '../../core/time/format.ts'
import { acknowledgedIn, damageText } from './damage.ts'

/** How often every worker looks whether the data are all there, ms. */
export const watchEvery = 30_000

type Locking = Pick<House, 'project' | 'store' | 'clock' | 'announce' | 'log'>

/**
 * Stops all changes of a project until an admin thaws, and says so once. `why`: a sentence. Also where the records
 * cannot be believed any more: then those that still can are all there is.
 */
export async function lockdown(house: Locking, why: string): Promise<void> {
  if (await isLocked(house)) return
  const at = house.clock.now()
  await house.store.write({ put: [{ kind: 'lockdown', at, why }] }, [{ at, what: 'lockdown', detail: why }])
  house.log.error({ project: house.project, why }, 'all changes are stopped')
  const missing = await damageTold(house).catch((err: unknown) => {
    house.log.warn({ err }, 'what is missing could not be found out')
    return null
  })
  await house.announce(
    [
      `All changes of project ${house.project} are stopped.`,
      `${why} ${missing?.says ?? 'Protections, freezes and stand-ins may be missing.'} Requests may have been set aside.`,
      `${stillAllowed} Look who can write to Redis, and run “npm start -- audit verify”. If LAMPLIGHTER_KEY was changed just now, give the one before as well (new,old).`,
      'Then an admin ends this with /endpoint thaw.',
    ].join('\n'),
  )
}

/** What is missing, in sentences, and what ending the lockdown would take as it is. Reads the whole audit. */
export interface DamageTold {
  readonly says: string
  readonly acknowledges?: Acknowledged
}

/** Throws Tampered, when it has become worse since the lockdown. */
export async function damageTold({ store, clock }: Pick<House, 'store' | 'clock'>): Promise<DamageTold> {
  const damage = await store.audit.damage()
  const acknowledges = acknowledgedIn(damage)
  // Names are a help and no more: they may be lost as well.
  const listed = await store.names().catch(() => null)
  const nameOf = (id: string): string => listed?.endpoints.find((endpoint) => endpoint.id === id)?.name ?? id
  return { says: damageText(damage, clock.now(), nameOf), ...(acknowledges && { acknowledges }) }
}

async function isLocked({ store }: Locking): Promise<boolean> {
  try {
    return lockdownIn(await store.records()) !== null
  } catch (error) {
    if (error instanceof Tampered) return false
    throw error
  }
}

/** Locks if an error says that something stored cannot be believed. False: it says something else. */
export async function lockIfTampered(house: Locking, error: unknown): Promise<boolean> {
  if (!(error instanceof Tampered)) return false
  await lockdown(house, error.message)
  return true
}

/**
 * Looks whether Redis still has what it had, each record of it (a look costs one question and their texts). Run every
 * `watchEvery` in each worker: each remembers how far it has seen the audit come.
 */
export async function watchData(house: Locking): Promise<void> {
  try {
    await house.store.records('all')
  } catch (error) {
    if (!(await lockIfTampered(house, error))) throw error
  }
}

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
