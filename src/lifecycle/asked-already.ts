import { endsLockdown } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import type { Command } from '../operations/commands.ts'
import type { Operation } from '../operations/define.ts'
import type { House } from './ports.ts'

/**
 * The request that waits for the same change of our own records, which no endpoint's lock keeps from being asked for
 * twice; null where none does.
 */
export async function askedAlready(
  house: House,
  request: Request,
  command: Command<Operation>,
): Promise<string | null> {
  const wanted = changeIn(request, command)
  const open = await house.store.open()
  const same = open.find(
    (one) =>
      one.status === 'awaiting' &&
      one.id !== request.id &&
      changeIn(one, house.commands.operation(one.line)) === wanted,
  )
  return same?.id ?? null
}

/** What would be changed, whatever the reason given, and whether the endpoint was written by its name or its id. */
function changeIn({ endpoint, requirement, change }: Request, { row, values }: Command<Operation>): string | null {
  const { because: _, endpoint: __, ...rest } = values
  return row.change === undefined || requirement === 'notice'
    ? null
    : JSON.stringify([row.name, endpoint?.id, rest, endsLockdown(change)])
}
