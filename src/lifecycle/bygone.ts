import type { Endpoint } from '../domain/endpoint.ts'
import type { House } from './ports.ts'

/** An endpoint that is known from what was laid down about it alone, by the name it had; null where nothing was. */
export async function bygone(house: House, id: string): Promise<Pick<Endpoint, 'id' | 'name'> | null> {
  const about = [...(await house.store.records()).values()].filter((one) => 'endpoint' in one && one.endpoint === id)
  if (about.length === 0) return null
  const listed = (await house.store.names())?.endpoints.find((one) => one.id === id)
  if (listed !== undefined) return { id, name: listed.name }
  // A record is called by the request that has laid it down, and that by the endpoint.
  for (const one of about) {
    const request = 'id' in one ? await house.store.load(one.id) : null
    if (request?.endpoint !== undefined) return request.endpoint
  }
  return (await house.store.lastDone(id))?.endpoint ?? { id, name: id }
}
