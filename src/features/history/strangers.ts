import { isSame } from '../../core/model/actor.ts'
import type { Event } from '../../core/model/request.ts'
import type { House } from '../../core/ports/services.ts'

/** How often what people without any role have sent is told in the audit, ms. */
export const countEvery = 60_000

/** What they have sent and the audit does not tell of yet. */
export interface Strangers {
  /** Whether this process is the one to count now. */
  turn(): Promise<boolean>
  /** The oldest first, and how to take those away. Throws Newer. */
  read(): Promise<{ readonly sent: readonly Event[]; readonly forget: () => Promise<unknown> }>
}

/**
 * One entry in the audit for each person, with the count of their lines and the last of them. A process that dies in
 * between leaves them to be told twice rather than never.
 */
export async function countStrangers({ store }: Pick<House, 'store'>, strangers: Strangers): Promise<void> {
  if (!(await strangers.turn())) return
  const { sent, forget } = await strangers.read()
  const people = sent
    .flatMap(({ by }) => by ?? [])
    .filter((one, at, all) => all.findIndex((other) => isSame(one, other)) === at)
  const entries = people.flatMap((by): Event[] => {
    const lines = sent.filter((one) => one.by !== undefined && isSame(one.by, by))
    const last = lines.at(-1)
    if (last === undefined) return []
    const many = lines.length === 1 ? '1 line' : `${lines.length} lines, the last`
    return [{ at: last.at, what: 'refused', by, detail: `Without any role: ${many}: ${last.detail ?? ''}` }]
  })
  if (entries.length > 0) await store.write({}, entries)
  await forget()
}
