import type { Ground } from './ground.ts'
import { scriptOn } from './script.ts'
import * as scripts from './scripts.ts'
import { macLength } from './signed.ts'

/** As long as anybody may want to look at it. ms. */
const life = 90 * 24 * 3_600_000

/**
 * Takes a request that cannot be believed out of everybody's way, so that it breaks nothing a second time; it is kept
 * to be looked at. What it seems to be about only lets go of a lock that names it.
 */
export function setterAside({ redis, keys }: Ground): (id: string, token: string, stored: unknown) => Promise<void> {
  const script = scriptOn(redis, 'lamplighterSetAside', scripts.setAside)
  return async (id, token, stored) => {
    const places = [keys.request(id), keys.lease(id), keys.wake, keys.aside(id), keys.lock(endpointIn(stored))]
    await script(places, [token, id, life])
  }
}

function endpointIn(stored: unknown): string {
  try {
    const { endpoint } = JSON.parse(String(stored).slice(macLength)) as { endpoint?: { id?: unknown } }
    return typeof endpoint?.id === 'string' ? endpoint.id : ''
  } catch {
    return ''
  }
}
