import { lockdownIn } from '../domain/records.ts'
import { type House, Tampered } from './ports.ts'

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
  await house.announce(
    `All changes of project ${house.project} are stopped: ${why} Protections, freezes and stand-ins may be missing, and requests may have been set aside. Run “npm start -- audit verify” and look who can write to Redis; if LAMPLIGHTER_KEY was changed just now, give the one before as well (new,old). Then an admin ends this with /endpoint thaw.`,
  )
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
 * Looks whether Redis still has what it had, each record of it (a look costs one question and their texts). Run every `watchEvery` in each worker: each
 * remembers how far it has seen the audit come.
 */
export async function watchData(house: Locking): Promise<void> {
  try {
    await house.store.records('all')
  } catch (error) {
    if (!(await lockIfTampered(house, error))) throw error
  }
}
