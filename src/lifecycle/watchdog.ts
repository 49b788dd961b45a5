import type { Ticked } from '../core/ports/request-store.ts'
import type { Services } from '../core/ports/services.ts'

/** The queue rings each minute; this leaves it time for the look. ms. */
const due = 70_000
/** Rules that have not been looked through for so long are late. ms. */
export const patience = 180_000

/**
 * Looks the rules through when the queue has not rung, and makes it ring again. People are told once when nobody has
 * looked through them for three minutes. To be called every few seconds in each worker, outside the queue.
 */
export function watchdog(
  services: Pick<Services, 'announce' | 'clock' | 'log' | 'project'>,
  ticked: Pick<Ticked, 'ago' | 'mayTell'>,
  look: () => Promise<unknown>,
  mend: () => Promise<unknown>,
): () => Promise<void> {
  // Right after a start nobody may have had the time.
  const begun = services.clock.monotonic()
  /** When they were last looked through, also where storage has forgotten it, and when this process last tried. */
  let [last, tried] = [begun, begun]
  return async () => {
    const [now, ago] = [services.clock.monotonic(), await ticked.ago()]
    if (ago !== null) last = Math.max(last, now - ago)
    if (now - Math.max(last, tried) < due) return
    tried = now
    if (now - last >= patience) {
      services.log.warn({ project: services.project }, 'the rules have not been looked through for three minutes')
      if (await ticked.mayTell())
        void services.announce(
          'The rules have not been looked through for three minutes, so starts and stops may come late. I look at them myself now; /endpoint doctor says what is wrong.',
        )
    }
    try {
      await look()
    } finally {
      await mend()
    }
  }
}
