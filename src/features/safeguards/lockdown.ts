import type { ChangeContext } from '../../core/commands/define.ts'
import type { Check } from '../../core/model/query-answer.ts'
import { freezeAt, lockdownIn, type Records } from '../../core/model/records.ts'
import { type Sentence, say, type Words } from '../../core/model/words.ts'
import { type Services, Tampered } from '../../core/ports/services.ts'
import { program } from '../../core/text/program.ts'
import { asText } from '../../core/words/render.ts'
import { endValue } from './freeze.ts'

/** How often each worker checks the stored data, ms. */
export const lockdownWatchEvery = 30_000

/** The refusal of every change while the project is locked. `why` is a sentence. */
export function lockedDown(why: Words): Sentence {
  return say('request.lockedDown', { why, allowed: say('request.stillAllowed') })
}

export type Locking = Pick<Services, 'project' | 'store' | 'clock' | 'announce' | 'log'>

/** Blocks all changes in a project until an admin thaws it, and announces that once. `why` is whole sentences. */
export async function lockdown(services: Locking, why: Words): Promise<void> {
  const records = await recordsOrNot(services.store)
  if (!(records instanceof Tampered) && lockdownIn(records) !== null) return
  const at = services.clock.now()
  await services.store.write({ put: [{ kind: 'lockdown', at, why }] }, [{ at, what: 'lockdown', detail: why }])
  services.log.error({ project: services.project, why: asText(why, 'en') }, 'all changes are blocked')
  const loss = await lossTold(services).catch((err: unknown) => {
    services.log.warn({ err }, 'could not find out which data was lost')
    return { says: say('lockdown.missing') }
  })
  await services.announce([
    say('lockdown.announced', { project: services.project }),
    [why, loss.says, say('lockdown.setAside')],
    [say('request.stillAllowed'), say('lockdown.lookInto', { program })],
    say('lockdown.end'),
  ])
}

/** Describes the loss that an admin accepts by ending the lockdown. Reads the whole audit; throws Tampered. */
export async function lossTold({ store }: Pick<Services, 'store'>): Promise<NonNullable<ChangeContext['loss']>> {
  const { well, says, gaps } = await store.audit.verify([])
  return {
    says: say('lockdown.loss', { well: well ? 'yes' : 'no', says, missing: say('lockdown.missing') }),
    ...(gaps.length > 0 && { acknowledges: { gaps } }),
  }
}

function recordsOrNot(store: Locking['store']): Promise<Records | Tampered> {
  return store.records().catch((error: unknown) => {
    if (error instanceof Tampered) return error
    throw error
  })
}

/** Locks the project if the error is Tampered, and returns whether it was. */
export async function lockIfTampered(services: Locking, error: unknown): Promise<boolean> {
  if (!(error instanceof Tampered)) return false
  await lockdown(services, error.says)
  return true
}

/** Does the work. Locks the project if the work finds changed or lost data. */
export async function orLock(services: Locking, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(await lockIfTampered(services, error))) throw error
  }
}

/** Checks all stored records, and that the audit is no shorter than this worker has seen it. */
export function watchData(services: Locking): Promise<void> {
  return orLock(services, () => services.store.records('all'))
}

/** Reports the freeze and the lockdown, if there is one, or why there will be one. */
export async function haltChecks({ store, clock }: Pick<Services, 'store' | 'clock'>): Promise<readonly Check[]> {
  const records = await recordsOrNot(store)
  // The next look of a worker locks the project.
  if (records instanceof Tampered) return [{ name: say('check.lockdown'), well: false, says: records.says }]
  const [lockdown, freeze] = [lockdownIn(records), freezeAt(records, clock.now())]
  const frozen =
    freeze === null
      ? []
      : [{ name: say('check.freeze'), well: true, says: say('freeze.shown', { until: endValue(freeze.until) }) }]
  if (lockdown === null) return frozen
  const loss = await lossTold({ store })
  return [{ name: say('check.lockdown'), well: false, says: [lockedDown(lockdown.why), loss.says] }, ...frozen]
}
