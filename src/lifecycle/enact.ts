import { sentences } from '../domain/errors.ts'
import { terms } from '../domain/terms.ts'
import { stillAgreed } from './agreed.ts'
import { enacted } from './begin.ts'
import { end } from './end.ts'
import { later } from './later.ts'
import type { Held, House } from './ports.ts'
import { propose } from './propose.ts'

/** Carries out a change that people have agreed to, on what holds by now. */
export async function enact(house: House, held: Held): Promise<void> {
  const { request } = held
  if (house.clock.now() - (request.decision?.at ?? 0) > terms.start)
    return end(house, held, 'expired', { says: sentences.tooLate })
  const proposal = await propose(house, request, held.command)
  if (proposal.kind === 'later') return later(house, held, proposal.says)
  if (proposal.kind === 'no') return end(house, held, 'cancelled', { says: proposal.says })
  if (!(await stillAgreed(house, held, proposal))) return
  await enacted(house, held, request, proposal)
}
