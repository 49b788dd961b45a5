import type { Endpoint } from '../domain/endpoint.ts'
import { keyOf } from '../domain/records.ts'
import type { Rulebook } from '../domain/rulebook.ts'
import { spentIn } from '../domain/spent.ts'
import type { House } from './ports.ts'

/** Takes holds and one-offs away that decide nothing any more, and mark no beginning of what does. */
export async function dropSpent(house: House, book: Rulebook, listed: readonly Endpoint[], now: number): Promise<void> {
  const spent = listed.flatMap((endpoint) => {
    const own = book.own.get(endpoint.id)
    if (own === undefined || own.once.length + own.holds.length === 0) return []
    return spentIn(book.of(endpoint), now).map(keyOf)
  })
  if (spent.length > 0) await house.store.write({ drop: spent }, [{ at: now, what: 'spent' }])
}
