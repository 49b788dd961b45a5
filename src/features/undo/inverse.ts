import type { Commands } from '../../core/commands/commands.ts'
import type { Asker, Inverse } from '../../core/commands/take-back.ts'
import { isSkipped } from '../../core/model/past.ts'
import type { Request } from '../../core/model/request.ts'

/** What takes a request back: the end of the hold where somebody skipped it, else what its row says. Throws Newer. */
export function inverseOf({ operation, write }: Commands, request: Request, asker: Asker): Inverse {
  const { row, values } = operation(request.line)
  if (isSkipped(request)) return { line: write('keep', { endpoint: request.endpoint?.id, off: 'off' }) }
  const inverse = row.inverse?.({ ...asker, request, values, write })
  return inverse ?? { why: `There is nothing to take back from ${row.name}.` }
}
