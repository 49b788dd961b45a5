import type { Prune } from '../../core/ports/audit.ts'
import type { Services } from '../../core/ports/services.ts'
import { lockdown, lockIfTampered } from '../safeguards/lockdown.ts'

/** How often a worker tries to take the day's turn, ms. */
export const inspectEvery = 600_000

type Inspecting = Pick<Services, 'project' | 'store' | 'clock' | 'announce' | 'log'>

/** Verifies the whole audit if it is our turn, and locks the project if that fails. Then prunes old entries. */
export async function inspect(services: Inspecting, turn: () => Promise<boolean>, prune: Prune | null): Promise<void> {
  if (!(await turn())) return
  try {
    const { well, says, acknowledged } = await services.store.audit.verify([])
    if (!well) return await lockdown(services, says)
    await prune?.(acknowledged)
  } catch (error) {
    if (!(await lockIfTampered(services, error))) throw error
  }
}
