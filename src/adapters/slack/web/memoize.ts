import type { Clock } from '../../../core/ports/services.ts'

/** ms */
const minute = 60_000
/** More people than talk to a bot within a minute. */
const most = 2_000

/**
 * Remembers answers for `fresh` ms, or for `within` ms where the caller needs to be surer. Failures are not remembered,
 * and callers at the same time share one question. Within 0 ms no earlier answer is believed: only those share who ask
 * so while the answer is on its way, so that a crowd does not use up what Slack allows in a minute.
 */
export function remembering<T>(
  clock: Pick<Clock, 'now'>,
  ask: (key: string) => Promise<T>,
  fresh: number = minute,
): (key: string, within?: number) => Promise<T> {
  const known = new Map<
    string,
    { readonly at: number; pending: boolean; readonly anew: boolean; readonly value: Promise<T> }
  >()
  return (key, within = fresh) => {
    const now = clock.now()
    const anew = within === 0
    const found = known.get(key)
    const age = found === undefined ? fresh : Math.abs(now - found.at)
    if (found !== undefined && (anew ? found.anew && (found.pending || age === 0) : age < within)) return found.value
    if (known.size >= most) known.clear()
    const value = ask(key)
    const asked = { at: now, pending: true, anew, value }
    known.set(key, asked)
    value.then(
      () => {
        asked.pending = false
      },
      () => {
        if (known.get(key) === asked) known.delete(key)
      },
    )
    return value
  }
}
