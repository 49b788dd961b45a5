import type { Held, House } from './ports.ts'

/** Does something with another request that is held for this only, and puts it down again whatever happens. */
export async function holding<Result>(house: House, other: Held, act: () => Promise<Result>): Promise<Result> {
  try {
    const result = await act()
    await letGo(house, other)
    return result
  } catch (error) {
    other.abandon()
    throw error
  }
}

/** Puts it down, to be shown by whoever is rung up for it. */
async function letGo(house: House, other: Held): Promise<void> {
  const at = house.clock.now()
  // Whoever came for it while we held it is served by the wake-up below.
  while (!(await other.release(at)));
  await house.queue.wake(other.request, `way-${other.version}-${at}`).catch(() => undefined)
}
