import type { Endpoint } from '../domain/endpoint.ts'
import type { Request } from '../domain/request.ts'
import type { House } from './ports.ts'
import { look } from './watching.ts'

/** Why an endpoint is not to be stopped for idleness after all, looked at right before the call; or null. */
export async function inUse(house: House, request: Request, endpoint: Endpoint | undefined): Promise<string | null> {
  if (request.via !== 'idle' || request.decision !== undefined || endpoint === undefined) return null
  const { reading } = await look(house, endpoint, await house.store.watchedOf(endpoint.id))
  if (reading.state === 'quiet') return null
  const seen = reading.state === 'busy' ? 'it is in use' : 'whether it is used cannot be seen'
  return `${endpoint.name} was left up: ${seen} (${reading.why}).`
}
