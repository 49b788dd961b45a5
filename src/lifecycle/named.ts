import { end } from './end.ts'
import { findEndpoint } from './find.ts'
import { later } from './later.ts'
import type { Held, House } from './ports.ts'

/** The endpoint that the line of a deed names; null when the request has been ended or put off for want of one. */
export async function named(house: House, held: Held): Promise<{ readonly id: string; readonly name: string } | null> {
  const found = await findEndpoint(house, wordOf(held), held.command.row.name, 'operation')
  if (found.kind === 'found') return found.endpoint
  if (found.kind === 'later') await later(house, held, found.says)
  else await end(house, held, 'refused', { says: found.says, offers: found.offers })
  return null
}

/** What the line of a deed is about, as it was written. */
export function wordOf({ command: { values } }: Pick<Held, 'command'>): string {
  return String(values['request'] ?? values['endpoint'])
}
