import type { ReconcileStore } from '../../../src/core/ports/request-store.ts'
import type { Clock } from '../../../src/core/ports/services.ts'
import type { Shelf } from './shelf.ts'

export function createMemoryRulings({ reconciling }: Shelf, clock: Clock): ReconcileStore {
  return {
    reconcileStates: async () => new Map(reconciling.reconcileStates),
    async noteReconcileStates(changes) {
      for (const [endpoint, one] of changes) {
        if (one === null) reconciling.reconcileStates.delete(endpoint)
        else reconciling.reconcileStates.set(endpoint, one)
      }
    },
    async takeTurn(what, life) {
      if (clock.monotonic() < (reconciling.turns.get(what)?.until ?? 0)) return null
      const turn = { until: clock.monotonic() + life }
      reconciling.turns.set(what, turn)
      return async () => {
        if (reconciling.turns.get(what) === turn) reconciling.turns.delete(what)
      }
    },
  }
}
