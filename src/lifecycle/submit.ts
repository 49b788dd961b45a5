import { sentences } from '../domain/errors.ts'
import { type Request, terms } from '../domain/request.ts'
import { operationIn } from '../operations/stored.ts'
import { deeds } from './deeds.ts'
import { end } from './end.ts'
import { findEndpoint } from './find.ts'
import { mayAct } from './identify.ts'
import { later } from './later.ts'
import { holding } from './let-go.ts'
import type { Held, House } from './ports.ts'
import { type Proposal, propose } from './propose.ts'
import { lastSeen, seenIn } from './seen.ts'
import { send } from './send.ts'
import { workOf } from './work.ts'

/** Takes up what was asked: who may, which endpoint, what it takes. Ends with a refusal, a question, or a start. */
export async function submit(house: House, held: Held): Promise<void> {
  const { request } = held
  if (house.clock.now() - request.receivedAt > terms.ask)
    return end(house, held, 'expired', { says: sentences.notTaken })
  const standing = await mayAct(house, request.actor, request.place, 'operator')
  if (standing.kind === 'not') return end(house, held, 'refused', { says: standing.says })

  const { row, values } = operationIn(request.line)
  if (row.deed !== undefined) return deeds[row.deed](house, held, standing.role)
  const found = await findEndpoint(house, String(values['endpoint']), row.name, 'operation')
  if (found.kind === 'later') return later(house, held, found.says)
  if (found.kind === 'none') return end(house, held, 'refused', { says: found.says, offers: found.offers })

  const { id, name } = found.endpoint
  const named: Request = { ...request, endpoint: { id, name } }
  const proposal = await propose(house, named)
  if (proposal.kind === 'later') return later(house, held, proposal.says)
  if (proposal.kind === 'no')
    return end(house, held, 'refused', { says: proposal.says }, { change: { endpoint: { id, name } } })
  // Settings can be read nowhere: what the last patch answered is all there is to compare with, and to go back to.
  const patches = proposal.plan.some(({ goal }) => goal === 'answered')
  const before = patches ? await house.store.settingsOf(id) : null
  return begin(house, held, before === null ? named : { ...named, before }, proposal)
}

/** Asks people, or goes to work: either way the endpoint is held from here to the end. */
export async function begin(house: House, held: Held, request: Request, proposal: Proposal): Promise<void> {
  if (proposal.requirement === 'refusal')
    return end(house, held, 'refused', {
      says: `${proposal.endpoint.name} is protected against this. Nothing was done.`,
    })
  const next = withPlan(house, request, proposal)
  const event = {
    at: house.clock.now(),
    what: next.status,
    by: request.actor,
    detail: `${request.line} — ${proposal.why}`,
  }
  // What nobody has to agree to was read a moment ago, by this very worker: there is nothing to look up again.
  const moved =
    next.status === 'running'
      ? await send(workOf(house, held, next), seenIn(proposal.endpoint, house.clock.now()), { events: [event] })
      : await held.move(next, [event], { lock: 'take' })
  if (moved.kind === 'moved') return
  const way = await makeWay(house, request, moved.by)
  if (way === 'made') return begin(house, held, request, proposal)
  // Another worker is looking at it this moment: it will be put down again at once.
  if (way === 'busy') return void (await held.move({ ...held.request, nextAt: house.clock.now() + 300 }, []))
  const holder = await house.store.load(moved.by)
  const says = sentences.taken(proposal.endpoint.name, holder?.line ?? 'it is ending just now')
  return end(house, held, 'refused', { says, about: moved.by })
}

function withPlan(
  house: House,
  request: Request,
  { endpoint, plan, exposure, requirement, digest, why }: Proposal,
): Request {
  const at = house.clock.now()
  const planned = {
    ...request,
    endpoint: { id: endpoint.id, name: endpoint.name },
    plan,
    exposure,
    requirement,
    digest,
  }
  if (requirement === 'nothing') {
    return {
      ...planned,
      status: 'running',
      startedAt: at,
      progress: plan.map(() => ({ sends: [], looks: [] })),
      nextAt: at,
    }
  }
  const ask = { n: (request.ask?.n ?? 0) + 1, at, expiresAt: at + terms.ask, why }
  const { decision: _, ...undecided } = planned
  return { ...undecided, status: 'awaiting', ask, nextAt: ask.expiresAt }
}

/**
 * A stop may end a start whose last call has been answered and that only waits for the endpoint to serve. Everything
 * else that holds an endpoint keeps it.
 */
async function makeWay(house: House, request: Request, holder: string): Promise<'made' | 'busy' | 'no'> {
  if (operationIn(request.line).row.name !== 'stop') return 'no'
  const found = await house.store.load(holder)
  if (found === null || !onlyWaits(found)) return 'no'
  const other = await house.store.claim(holder)
  if (other === null) return 'busy'
  return holding(house, other, async () => {
    if (!onlyWaits(other.request)) return 'no'
    const says = `Given up for another request: ${request.line}. ${lastSeen(other.request.progress?.at(-1)?.looks.at(-1))}`
    await end(house, other, 'cancelled', { says }, { event: { by: request.actor } })
    return 'made'
  })
}

function onlyWaits({ status, progress }: Request): boolean {
  return status === 'running' && progress?.at(-1)?.sends.at(-1)?.outcome?.kind === 'answered'
}
