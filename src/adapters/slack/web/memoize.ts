import type { Clock } from '../../../core/ports/services.ts'

const minuteMs = 60_000
/** More people than use a bot within a minute. */
const maxKeys = 2_000

/**
 * Caches answers for `fresh` ms, or for the `within` ms of a call. Failures are not cached, and calls at the same time
 * share one question. With `within` 0 only such calls share, and only while the answer is on its way, so that a crowd does
 * not use up Slack's rate limit.
 */
export function memoize<T>(
  clock: Pick<Clock, 'now'>,
  ask: (key: string) => Promise<T>,
  fresh: number = minuteMs,
): (key: string, within?: number) => Promise<T> {
  const known = new Map<
    string,
    { readonly at: number; pending: boolean; readonly forced: boolean; readonly value: Promise<T> }
  >()
  return (key, within = fresh) => {
    const now = clock.now()
    const forced = within === 0
    const found = known.get(key)
    const age = found === undefined ? fresh : Math.abs(now - found.at)
    if (found !== undefined && (forced ? found.forced && (found.pending || age === 0) : age < within))
      return found.value
    if (known.size >= maxKeys) known.clear()
    const value = ask(key)
    const entry = { at: now, pending: true, forced, value }
    known.set(key, entry)
    value.then(
      () => {
        entry.pending = false
      },
      () => {
        if (known.get(key) === entry) known.delete(key)
      },
    )
    return value
  }
}
