import type { Anchors } from '../../core/ports/audit.ts'
import type { Services } from '../../core/ports/services.ts'
import { lockIfTampered, watchData } from '../safeguards/lockdown.ts'

/** How often a worker tries to take the turn, ms: often, since a worker may restart within the hour of a turn. */
export const anchorEvery = 300_000

type Anchoring = Pick<Services, 'project' | 'store' | 'clock' | 'announce' | 'log'>

/** Announces and stores the head of the audit, if it is our turn and the head has moved. */
export async function anchor({ project, store, clock, announce, log }: Anchoring, anchors: Anchors): Promise<void> {
  const { seq, mac } = await store.audit.head()
  // Before the turn, or an entry of the next hour would wait for another turn.
  if (seq === ((await anchors.newest())?.seq ?? 0)) return
  if (!(await anchors.turn())) return
  const isNoted = await anchors.note({ seq, mac, at: clock.now() }).then(
    () => true,
    (err: unknown) => {
      log.error({ err }, 'the head of the audit could not be noted; it is tried again in an hour')
      return false
    },
  )
  const unnoted = isNoted ? '' : ' It could not be written to the audit directory: /endpoint doctor says why.'
  await announce(`Audit of project ${project}: entry ${seq}, MAC ${mac}. It proves everything up to here.${unnoted}`)
}

/** At the start of a worker: from now on an audit that is shorter than the stored head counts as loss of data. */
export async function recall(services: Anchoring, anchors: Anchors): Promise<void> {
  try {
    const newest = await anchors.newest()
    if (newest !== null) services.store.audit.expect(newest)
  } catch (error) {
    if (!(await lockIfTampered(services, error))) throw error
  }
  await watchData(services)
}
