import type { Role } from '../domain/policy.ts'
import type { Query } from '../operations/define.ts'
import type { Given } from '../operations/field.ts'
import { rows } from '../operations/index.ts'
import { shownMessage } from './answer.ts'
import type { Message } from './blocks.ts'
import { hiddenSays, rowsFor } from './menu.ts'

/** Who asks for help, where and when. `role` undefined: it could not be found out in time. */
interface Asking {
  readonly role: Role | null | undefined
  readonly project: string
  readonly now: number
}

/** A query that is answered from the table alone: of all rows, those that this person may use; of one row, whoever asks. */
export function helpOf(row: Query, values: Given, { role, project, now }: Asking): Message {
  const listed = values['about'] === undefined ? rowsFor(role, rows) : rows
  const shown = row.show(undefined, { values, rows: listed, now, project, role: role ?? null })
  const hidden = hiddenSays(rows.length - listed.length)
  return shownMessage(hidden === '' ? shown : { ...shown, foot: `${hidden}.` })
}
