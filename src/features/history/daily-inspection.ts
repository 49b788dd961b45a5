import type { Prune } from '../../core/ports/audit.ts'
import type { House } from '../../core/ports/services.ts'
import { lockdown, lockIfTampered } from '../safeguards/lockdown.ts'

/** How often every worker asks for the day's turn to look the audit through, ms. */
export const inspectEvery = 600_000

type Inspecting = Pick<House, 'project' | 'store' | 'clock' | 'announce' | 'log'>

/**
 * Once a day looks the whole audit through, if it is our turn: what is not as it was written stops all changes until an
 * admin stands for it. Then moves what is old out of it, where there is somewhere to move it to.
 */
export async function inspect(house: Inspecting, turn: () => Promise<boolean>, prune: Prune | null): Promise<void> {
  if (!(await turn())) return
  try {
    const { well, says, acknowledged } = await house.store.audit.verify([])
    if (!well) return await lockdown(house, says)
    await prune?.(acknowledged)
  } catch (error) {
    if (!(await lockIfTampered(house, error))) throw error
  }
}
