import { isSame, policyFile } from '../core/model/actor.ts'
import { terms } from '../core/model/limits.ts'
import { isAutomatic, type Request } from '../core/model/request.ts'
import { sentences } from '../core/model/sentences.ts'
import type { Held, House } from '../core/ports/services.ts'
import { keptOf, mayAct, type Standing } from '../core/requests/authorize.ts'
import { end, later } from '../core/requests/end.ts'
import { findEndpoint } from '../core/requests/find-endpoint.ts'
import { deeds } from './act-on-request.ts'
import { begin, refuseTaken } from './ask-or-run.ts'
import { propose } from './planning/plan.ts'

/** Takes up what was asked: who may, which endpoint, what it takes. Ends with a refusal, a question, or a start. */
export async function submit(house: House, held: Held): Promise<void> {
  const { request } = held
  if (house.clock.now() - request.receivedAt > terms.ask)
    return end(house, held, 'expired', { says: sentences.notTaken })
  const { row, values } = held.command
  const standing = await mayAsk(house, held)
  if (standing.kind === 'not') return end(house, held, 'refused', { says: standing.says }, keptOf(standing, request))

  if (row.deed !== undefined) return deeds[row.deed](house, held, standing.role)
  const named = 'endpoint' in row.fields ? await onEndpoint(house, held, String(values['endpoint'])) : request
  if (named === null) return
  const proposal = await propose(house, named, held.command)
  if (proposal.kind === 'later') return later(house, held, proposal.says)
  const { endpoint } = named
  // As it is now is not as it will be while a request is at work on it.
  if (proposal.kind === 'no' && proposal.asItIs === true && endpoint !== undefined) {
    const holder = await house.store.holderOf(endpoint.id)
    const work = holder === null ? null : await house.store.load(holder)
    if (work?.status === 'running') return refuseTaken(house, held, endpoint.name, work)
  }
  if (proposal.kind === 'no')
    return end(house, held, 'refused', { says: proposal.says }, { change: { ...(endpoint && { endpoint }) } })
  // Settings can be read nowhere: what the last patch answered is all there is to compare with, and to go back to.
  const patches = endpoint !== undefined && proposal.plan.some(({ goal }) => goal === 'answered')
  const before = patches ? await house.store.settingsOf(endpoint.id) : null
  return begin(house, held, before === null ? named : { ...named, before }, proposal)
}

/** What the policy file lays down has been agreed to by whoever may change it. */
async function mayAsk(house: House, { request, command }: Held): Promise<Standing> {
  const { actor, place } = request
  if (isAutomatic(request) && isSame(actor, policyFile)) return { kind: 'may', role: 'operator', by: null }
  const { row, values } = command
  // Of what takes nobody's word this is the last look before the call.
  return mayAct(house, actor, place, row.needs?.(values) ?? 'operator', 'recent')
}

/** The request with the endpoint it names; null when it has been ended or put off for want of one. */
async function onEndpoint(house: House, held: Held, word: string): Promise<Request | null> {
  const { request } = held
  const found = await findEndpoint(house, word, held.command.row.name, 'operation')
  if (found.kind === 'found') {
    const { id, name } = found.endpoint
    return { ...request, endpoint: { id, name }, ...(found.alike && { alike: found.alike }) }
  }
  if (found.kind === 'later') await later(house, held, found.says)
  else await end(house, held, 'refused', { says: found.says, offers: found.offers })
  return null
}
