import type { Clock } from '../lifecycle/ports.ts'

/** ms */
const minute = 60_000
/** More people than talk to a bot within a minute. */
const most = 2_000

/**
 * Remembers answers for `fresh` ms. Failures are not remembered, and callers at the same time share one question;
 * whoever asks for it anew has one of their own, and what it brings is remembered instead.
 */
export function remembering<T>(
  clock: Pick<Clock, 'now'>,
  ask: (key: string) => Promise<T>,
  fresh: number = minute,
): (key: string, anew?: boolean) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly value: Promise<T> }>()
  return (key, anew = false) => {
    const now = clock.now()
    const found = known.get(key)
    if (!anew && found !== undefined && Math.abs(now - found.at) < fresh) return found.value
    if (known.size >= most) known.clear()
    const value = ask(key)
    known.set(key, { at: now, value })
    value.catch(() => {
      if (known.get(key)?.value === value) known.delete(key)
    })
    return value
  }
}
