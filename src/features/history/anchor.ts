import type { Anchors } from '../../core/ports/audit.ts'
import type { House } from '../../core/ports/services.ts'
import { lockIfTampered, watchData } from '../safeguards/lockdown.ts'

/** How often every worker asks for the turn to tell the head of the audit, ms: also one that restarts within the hour. */
export const anchorEvery = 300_000

type Anchoring = Pick<House, 'project' | 'store' | 'clock' | 'announce' | 'log'>

/** Tells the operations channel how far the audit has come and notes it, if it is our turn and if it has moved. */
export async function anchor({ project, store, clock, announce, log }: Anchoring, anchors: Anchors): Promise<void> {
  const { seq, mac } = await store.audit.head()
  // Nobody takes the turn for nothing: what is written in the next hour waits for no other.
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

/** At the start of a worker: less than what was noted is loss of data, from here on. */
export async function recall(house: Anchoring, anchors: Anchors): Promise<void> {
  try {
    const newest = await anchors.newest()
    if (newest !== null) house.store.audit.expect(newest)
  } catch (error) {
    if (!(await lockIfTampered(house, error))) throw error
  }
  await watchData(house)
}
