import { sentences } from '../domain/errors.ts'
import type { Request } from '../domain/request.ts'
import { end } from './end.ts'
import type { Held, House } from './ports.ts'

/** How often reading the platform is tried before anything was called. */
const mostTries = 4

/** Nothing was called yet and the platform cannot be read: again in 1, 2, 4 s, then it ends. */
export async function later(house: House, held: Held, says: string): Promise<void> {
  const tries = (held.request.tries ?? 0) + 1
  if (tries >= mostTries) return end(house, held, 'failed', { says: sentences.cannotRead(says) })
  const at = house.clock.now()
  await held.move({ ...held.request, tries, nextAt: at + 1_000 * 2 ** (tries - 1) }, [
    { at, what: 'unread', detail: says },
  ])
}

/** How often a plan is made again because somebody has just changed a record. */
const mostPlans = 20
const unsettled =
  'Protections, rules or freezes kept changing meanwhile, so nothing was done. Ask again when it is calm.'

/** What it was planned on holds no longer, and nothing was done: planned again at once, as `request`. */
export async function anew(house: House, held: Held, request: Request): Promise<void> {
  const replans = (held.request.replans ?? 0) + 1
  if (replans > mostPlans) return end(house, held, 'failed', { says: unsettled })
  await held.move({ ...request, replans, nextAt: house.clock.now() }, [])
}
