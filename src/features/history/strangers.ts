import type { Event } from '../../core/model/request.ts'
import type { Services } from '../../core/ports/services.ts'

/** How often the lines of people without a role are counted in the audit, ms. */
export const countEvery = 60_000

/** The lines of people without a role that the audit does not count yet. */
export interface Strangers {
  /** Whether this process is the one to count now. */
  turn(): Promise<boolean>
  /** The oldest first. Throws Newer. */
  read(): Promise<{ readonly sent: readonly Event[]; readonly forget: () => Promise<unknown> }>
}

/** Writes one audit entry for each person, with the count of their lines and the last one. A crash may repeat it. */
export async function countStrangers({ store }: Pick<Services, 'store'>, strangers: Strangers): Promise<void> {
  if (!(await strangers.turn())) return
  const { sent, forget } = await strangers.read()
  const people = new Map<string, { readonly last: Event; readonly count: number }>()
  for (const last of sent) {
    const person = `${last.by?.team}/${last.by?.user}`
    people.set(person, { last, count: (people.get(person)?.count ?? 0) + 1 })
  }
  const entries = [...people.values()].map(({ last, count }): Event => {
    const lines = count === 1 ? '1 line' : `${count} lines, the last`
    return { ...last, what: 'refused', detail: `Without any role: ${lines}: ${last.detail ?? ''}` }
  })
  if (entries.length > 0) await store.write({}, entries)
  await forget()
}
