import { includes, type Role } from '../domain/policy.ts'
import type { Offer, Shown } from '../domain/shown.ts'
import type { Row } from './define.ts'
import type { Given } from './field.ts'
import { readLine } from './line.ts'

/** The role a row takes; where that hangs on its words, as far as those are there. */
export function neededFor(row: Row, values: Given = {}): Role {
  return row.needs?.(values) ?? (row.kind === 'operation' ? 'operator' : 'viewer')
}

/** An answer without the buttons that would only refuse somebody of this role. */
export function offeredTo(role: Role | null, shown: Shown, rows: readonly Row[]): Shown {
  const { offers, items } = shown
  return {
    ...shown,
    items: items.map((item) => (item.offers === undefined ? item : { ...item, offers: allowed(item.offers) })),
    ...(offers !== undefined && { offers: allowed(offers) }),
  }

  function allowed(among: readonly Offer[]): readonly Offer[] {
    return among.filter(({ line }) => {
      const read = readLine(line, rows)
      if (read.kind === 'misread') return true
      const { row, values } = read.kind === 'line' ? read.read : read
      return includes(role, neededFor(row, values))
    })
  }
}
