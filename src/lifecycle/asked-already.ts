import { endsLockdown } from '../domain/records.ts'
import type { Request } from '../domain/request.ts'
import { operationIn } from '../operations/stored.ts'
import type { House } from './ports.ts'

/**
 * The request that waits for the same change of our own records, which no endpoint's lock keeps from being asked for
 * twice; null where none does.
 */
export async function askedAlready(house: House, request: Request): Promise<string | null> {
  const wanted = changeIn(request)
  const open = await house.store.open()
  const same = open.find((one) => one.status === 'awaiting' && one.id !== request.id && changeIn(one) === wanted)
  return same?.id ?? null
}

/** What would be changed, whatever the reason given, and whether the endpoint was written by its name or its id. */
function changeIn({ line, endpoint, requirement, change }: Request): string | null {
  const { row, values } = operationIn(line)
  const { because: _, endpoint: __, ...rest } = values
  return row.change === undefined || requirement === 'notice'
    ? null
    : JSON.stringify([row.name, endpoint?.id, rest, endsLockdown(change)])
}
