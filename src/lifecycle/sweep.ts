import type { Services } from '../core/ports/services.ts'
import { advance } from './advance.ts'

/** At most this many in one sweep, so that not all start at once after a long outage. */
const most = 100
const atOnce = 8

/** Takes up late requests without the queue, every few seconds, so that a lost job costs only seconds. */
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
