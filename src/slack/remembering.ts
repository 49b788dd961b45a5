import type { Clock } from '../lifecycle/ports.ts'

/** ms */
const minute = 60_000
/** More people than talk to a bot within a minute. */
const most = 2_000

/**
 * Remembers answers for `fresh` ms. Failures are not remembered, and callers at the same time share one question. Asked
 * anew, nothing of before is believed: only those share who ask anew at the very same time.
 */
export function remembering<T>(
  clock: Pick<Clock, 'now'>,
  ask: (key: string) => Promise<T>,
  fresh: number = minute,
): (key: string, anew?: boolean) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly anew: boolean; readonly value: Promise<T> }>()
  return (key, anew = false) => {
    const now = clock.now()
    const found = known.get(key)
    const age = found === undefined ? fresh : Math.abs(now - found.at)
    if (found !== undefined && (anew ? found.anew && age === 0 : age < fresh)) return found.value
    if (known.size >= most) known.clear()
    const value = ask(key)
    known.set(key, { at: now, anew, value })
    value.catch(() => {
      if (known.get(key)?.value === value) known.delete(key)
    })
    return value
  }
}
