import { operationIn } from '../operations/stored.ts'
import { end } from './end.ts'
import { findEndpoint } from './find.ts'
import { later } from './later.ts'
import type { Held, House } from './ports.ts'

/** The endpoint that the line of a deed names; null when the request has been ended or put off for want of one. */
export async function named(house: House, held: Held): Promise<{ readonly id: string; readonly name: string } | null> {
  const found = await findEndpoint(house, wordOf(held), operationIn(held.request.line).row.name, 'operation')
  if (found.kind === 'found') return found.endpoint
  if (found.kind === 'later') await later(house, held, found.says)
  else await end(house, held, 'refused', { says: found.says, offers: found.offers })
  return null
}

/** What the line of a deed is about, as it was written. */
export function wordOf({ request }: Pick<Held, 'request'>): string {
  const { values } = operationIn(request.line)
  return String(values['request'] ?? values['endpoint'])
}
