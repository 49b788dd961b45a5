import type { Readings } from '../../../src/core/ports/endpoint-use.ts'
import type { Shelf } from './shelf.ts'

/** The latest readings of how endpoints are used. */
export function createMemoryReadings({ watched }: Shelf): Readings {
  return {
    watched: async () => new Map(watched),
    watchedOf: async (endpoint) => watched.get(endpoint) ?? null,
    async keepWatched(changes) {
      for (const [endpoint, one] of changes) {
        if (one === null) watched.delete(endpoint)
        else watched.set(endpoint, one)
      }
    },
  }
}
