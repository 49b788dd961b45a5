import { unknownForLong } from '../domain/idle.ts'
import type { Offer } from '../domain/shown.ts'
import { remedyFor } from '../domain/use.ts'
import type { Idler, Known } from './idler.ts'
import type { House } from './ports.ts'

/** After a day without knowing, people are told once what is missing. */
export async function tellUnknown(house: House, known: Known, { endpoint, watched, now }: Idler): Promise<void> {
  const long = unknownForLong(watched.segments, now)
  if (long === null) return
  const last = watched.segments.at(-1)
  const remedy = last === undefined ? '' : remedyFor(last.evidence)
  const says = `Whether ${endpoint.name} is idle has not been known for a day: ${long.missing}.${remedy} It is not stopped.`
  await tellOnce(house, known, `unknown ${endpoint.id}`, String(long.since), says)
}

/** Says something in the operations channel once for each `of`. */
export async function tellOnce(
  house: House,
  { pursuits, now }: Known,
  key: string,
  of: string,
  says: string,
  offers: readonly Offer[] = [],
): Promise<void> {
  if (pursuits.get(key)?.occurrence === of) return
  await house.store.notePursuits(new Map([[key, { occurrence: of, state: 'left', attempts: 0, at: now }]]))
  // It is tried for a while, and the next endpoint need not wait for that.
  void house.announce(says, offers)
}
