import type { Services } from '../core/ports/services.ts'
import { advance } from './advance.ts'

/** At most this many in one sweep, so that a long outage does not come back as one wave. */
const most = 100
const atOnce = 8

/** Takes up every late request, past the queue: if that loses wake-ups, it costs seconds. Run every few seconds. */
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
