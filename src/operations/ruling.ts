import { protectionOf } from '../domain/records.ts'
import type { Ground } from './ground.ts'

/** Why no rule may be laid down here that will stop the endpoint at some time; or null. */
export function noStopping(ground: Ground): string | null {
  const { endpoint, protectedBy, records, operationsChannel } = ground
  if (endpoint === undefined) return 'Say which endpoint.'
  if (protectedBy !== null || protectionOf(records, endpoint.id) !== null)
    return 'It is protected, so nothing may stop it by itself. Take the protection away first, with unprotect.'
  if (!operationsChannel)
    return 'Nobody could be told before it stops: set operations_channel in lamplighter.yaml first.'
  return null
}
