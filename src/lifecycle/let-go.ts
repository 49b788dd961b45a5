import type { Held, House } from './ports.ts'

/** Puts another request down again, to be shown by whoever is rung up for it. */
export async function letGo(house: House, other: Held): Promise<void> {
  const at = house.clock.now()
  // Whoever came for it while we held it is served by the wake-up below.
  while (!(await other.release(at)));
  await house.queue.wake(other.request, `way-${other.version}-${at}`).catch(() => undefined)
}
