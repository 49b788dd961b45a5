import type { Role } from '../domain/policy.ts'
import type { Commands } from '../operations/commands.ts'
import type { Query } from '../operations/define.ts'
import type { Given } from '../operations/field.ts'
import { shownMessage } from './answer.ts'
import type { Message } from './blocks.ts'
import { hiddenSays, menu, rowsFor } from './menu.ts'

/** Who asks for help, where and when. `role` undefined: it could not be found out in time. */
interface Asking {
  readonly role: Role | null | undefined
  /** Names of rows that are of no use to them. */
  readonly without: readonly string[]
  readonly project: string
  readonly now: number
}

/** A query that is answered from the table alone: of all rows, those that this person may use; of one row, whoever asks. */
export function helpOf(
  commands: Commands,
  row: Query,
  values: Given,
  { role, without, project, now }: Asking,
): Message {
  const { rows } = commands
  const isOne = values['about'] !== undefined
  // Nothing but what is hidden from them would be left.
  if (!isOne && (role === null || role === undefined)) return menu(commands, { role, without })
  const own = isOne || role === null || role === undefined ? rows : rowsFor(role, rows)
  const listed = isOne ? rows : own.filter(({ name }) => !without.includes(name))
  const shown = row.show(undefined, { values, rows: listed, now, project, role: role ?? null })
  const useless = isOne ? 0 : without.length
  const hidden = hiddenSays(Math.max(0, rows.length - listed.length - useless))
  return shownMessage(hidden === '' ? shown : { ...shown, foot: `${hidden}.` })
}
