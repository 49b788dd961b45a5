import type { Ticked } from '../core/ports/request-store.ts'
import type { House } from '../core/ports/services.ts'

/** Rules that have not been looked through for so long are late. ms. */
export const patience = 180_000
/** How often the watchdog wakes up, and how often the chain of ticks is looked at, ms. */
export const watchdogEvery = 60_000
export const mendEvery = 180_000

/**
 * Sees outside the queue that the rules are looked through: when nobody has done so for three minutes they are looked
 * through here, and people are told once.
 */
export function watchdog(
  house: Pick<House, 'announce' | 'clock' | 'log' | 'project'>,
  ticked: Pick<Ticked, 'ago' | 'mayTell'>,
  look: () => Promise<unknown>,
): () => Promise<void> {
  // Right after a start nobody may have had the time.
  const begun = house.clock.monotonic()
  /** When they were last looked through, as far as this process knows. */
  let last = begun
  return async () => {
    const [now, ago] = [house.clock.monotonic(), await ticked.ago()]
    if (ago !== null) last = Math.max(last, now - ago)
    if (ago !== null || now - begun < patience) return
    // Storage that has lost its data does not remember when they were, and it may have been a moment ago.
    if (now - last < patience) return void (await look())
    house.log.warn({ project: house.project }, 'the rules have not been looked through for three minutes')
    if (await ticked.mayTell())
      void house.announce(
        'The rules have not been looked through for three minutes, so starts and stops may come late. I look at them myself now; /endpoint doctor says what is wrong.',
      )
    await look()
  }
}
