import type { ReconcileStore } from '../../../src/core/ports/request-store.ts'
import type { Clock } from '../../../src/core/ports/services.ts'
import type { Shelf } from './shelf.ts'

/** What is kept of the pursuit of rules. */
export function createMemoryRulings({ pursuing }: Shelf, clock: Clock): ReconcileStore {
  return {
    pursuits: async () => new Map(pursuing.pursuits),
    async notePursuits(changes) {
      for (const [endpoint, one] of changes) {
        if (one === null) pursuing.pursuits.delete(endpoint)
        else pursuing.pursuits.set(endpoint, one)
      }
    },
    async takeTurn(what, life) {
      if (clock.monotonic() < (pursuing.turns.get(what)?.until ?? 0)) return null
      const turn = { until: clock.monotonic() + life }
      pursuing.turns.set(what, turn)
      return async () => {
        if (pursuing.turns.get(what) === turn) pursuing.turns.delete(what)
      }
    },
  }
}
