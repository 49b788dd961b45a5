import { type Demand, isStricter } from '../domain/demand.ts'
import type { Note, Request } from '../domain/request.ts'
import type { Proposal } from './propose.ts'

type New = Pick<Proposal, 'demand' | 'digest'>

/**
 * "Asked again: it takes 3 approvals now; the 2 given before do not count." Undefined where nobody had agreed yet.
 */
export function againText(request: Request, proposal: New): string | undefined {
  if (request.decision?.yes !== true || request.ask === undefined) return undefined
  return `Asked again: ${whyAgain(request, request.ask, proposal)}; ${lost(request)}.`
}

/** Tells whoever decided that they have not, by a private word. */
export function againNotes({ id, ask, decision, place }: Request, says: string | undefined): readonly Note[] {
  if (says === undefined || decision === undefined) return []
  return [{ id: `${id}.again.${ask?.n ?? 0}`, to: decision.by, channel: place.channel, says }]
}

function whyAgain(
  { requirement = 'nothing', digest }: Request,
  { asking }: Pick<Demand, 'asking'>,
  { demand, digest: now }: New,
): string {
  if (isStricter(demand, { requirement, asking })) return `it takes ${takes(demand)} now`
  return digest === now ? 'others have to approve it now' : 'what would be done has changed meanwhile'
}

function takes({ requirement, asking: { needed } }: Demand): string {
  if (requirement !== 'approval') return `a ${requirement}`
  return needed === 1 ? '1 approval' : `${needed} approvals`
}

function lost({ requirement, decision, votes = [] }: Request): string {
  if (requirement !== 'approval' || decision?.glass === true) return 'the yes given before does not count'
  return votes.length === 1 ? 'the one given before does not count' : `the ${votes.length} given before do not count`
}
