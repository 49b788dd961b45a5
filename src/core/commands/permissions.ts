import type { Offer, Shown } from '../model/answer.ts'
import type { Given } from '../model/request.ts'
import { includes, type Role } from '../model/roles.ts'
import type { Row } from './define.ts'
import { readLine, usageOf } from './parse.ts'

/** The role a row takes; where that hangs on its words, as far as those are there. */
export function neededFor(row: Row, values: Given = {}): Role {
  return row.needs?.(values) ?? (row.kind === 'operation' ? 'operator' : 'viewer')
}

/** The usage line without the choices that would only refuse somebody of this role; whole while it is unknown. */
export function usageFor(role: Role | null | undefined, row: Row): string {
  if (role === undefined) return usageOf(row)
  const fields = Object.entries(row.fields).filter(
    ([name, { optional, of }]) =>
      !optional || of === undefined || of.some((one) => includes(role, neededFor(row, { [name]: one }))),
  )
  return usageOf({ ...row, fields: Object.fromEntries(fields) })
}

/** Whether somebody of this role may write a line; what cannot be read is nobody's to refuse. */
export function mayWrite(role: Role | null, line: string, rows: readonly Row[]): boolean {
  const read = readLine(line, rows)
  if (read.kind === 'misread') return true
  const { row, values } = read.kind === 'line' ? read.read : read
  return includes(role, neededFor(row, values))
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
    return among.filter(({ line }) => mayWrite(role, line, rows))
  }
}
