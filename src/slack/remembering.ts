import type { Clock } from '../lifecycle/ports.ts'

/** ms */
const fresh = 60_000
/** More people than talk to a bot within a minute. */
const most = 2_000

/** Remembers answers for a minute. Failures are not remembered, and callers at the same time share one question. */
export function remembering<T>(
  clock: Pick<Clock, 'now'>,
  ask: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly value: Promise<T> }>()
  return (key) => {
    const now = clock.now()
    const found = known.get(key)
    if (found !== undefined && Math.abs(now - found.at) < fresh) return found.value
    if (known.size >= most) known.clear()
    const value = ask(key)
    known.set(key, { at: now, value })
    value.catch(() => known.delete(key))
    return value
  }
}
