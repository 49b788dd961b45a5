import type { Clock } from '../../../src/lifecycle/ports.ts'
import type { Rulings } from '../../../src/lifecycle/rulings.ts'
import type { Shelf } from './shelf.ts'

/** What is kept of the pursuit of rules. */
export function createMemoryRulings({ pursuing }: Shelf, clock: Clock): Rulings {
  return {
    pursuits: async () => new Map(pursuing.pursuits),
    async notePursuits(changes) {
      for (const [endpoint, one] of changes) {
        if (one === null) pursuing.pursuits.delete(endpoint)
        else pursuing.pursuits.set(endpoint, one)
      }
    },
    async takeTurn(life) {
      if (pursuing.turn !== null && clock.monotonic() < pursuing.turn.until) return null
      const turn = { until: clock.monotonic() + life }
      pursuing.turn = turn
      return async () => {
        if (pursuing.turn === turn) pursuing.turn = null
      }
    },
  }
}
