import type { Endpoint } from '../domain/endpoint.ts'
import { idleClock } from '../domain/idle.ts'
import type { Use } from '../domain/use.ts'
import { clockOf, idlerOf, type Known, knownNow } from './idler.ts'
import type { House } from './ports.ts'
import type { Watched } from './watch.ts'
import { isStale } from './watching.ts'

/** How endpoints are used, as last looked: of what is stopped, or was not looked at lately, nothing is said. */
export async function usesOf(
  house: House,
  endpoints: readonly Endpoint[],
): Promise<(endpoint: Endpoint) => Use | null> {
  const [known, ...watched] = await Promise.all([
    knownNow(house),
    ...endpoints.map(({ id }) => house.store.watchedOf(id)),
  ])
  const uses = new Map(endpoints.map((endpoint, at) => [endpoint.id, useOf(known, endpoint, watched[at] ?? null)]))
  return ({ id }) => uses.get(id) ?? null
}

function useOf(known: Known, endpoint: Endpoint, watched: Watched | null): Use | null {
  const last = watched?.segments.at(-1)
  if (watched === null || last === undefined || endpoint.active === false || isStale(watched, known.now)) return null
  const { idle } = known.policy.automation
  const { forMs: quietMs } = idleClock(watched.segments, { policyOn: Number.NEGATIVE_INFINITY }, idle.usual, known.now)
  const idler = idlerOf(known, endpoint, watched)
  if (idler !== null) {
    const { clock, idleMs, spared, sorry, rule } = idler
    return { last, quietMs, clock, idleMs, watched: { mode: rule.mode, spared, sorry } }
  }
  const clock = clockOf(known, endpoint, watched, idle.usual, Number.NEGATIVE_INFINITY)
  return { last, quietMs, clock, idleMs: idle.usual }
}
