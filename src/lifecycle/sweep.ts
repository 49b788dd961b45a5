import type { Services } from '../core/ports/services.ts'
import { advance } from './advance.ts'

/** At most this many in one sweep, so that a long outage does not come back as one wave. */
const most = 100
const atOnce = 8

/**
 * Takes up every request whose time has passed. It does not go through the queue, so a queue that loses wake-ups
 * costs seconds and nothing else. Run every few seconds in each worker.
 */
export async function sweep(
  services: Services,
  takeUp: (id: string) => Promise<void> = (id) => advance(services, id),
): Promise<void> {
  const due = [...(await services.store.due(services.clock.now(), most, services.left.resting()))]
  async function worker(): Promise<void> {
    for (let id = due.shift(); id !== undefined; id = due.shift()) await takeUp(id)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
