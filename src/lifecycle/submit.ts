import { sentences } from '../domain/errors.ts'
import type { Plan } from '../domain/plan.ts'
import { type Request, terms } from '../domain/request.ts'
import { operationIn } from '../operations/stored.ts'
import { lookAt, nextAsk } from './ask.ts'
import { enacted } from './change.ts'
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
  const { row, values } = operationIn(request.line)
  const standing = await mayAct(house, request.actor, request.place, row.needs?.(values) ?? 'operator')
  if (standing.kind === 'not') return end(house, held, 'refused', { says: standing.says })

  if (row.deed !== undefined) return deeds[row.deed](house, held, standing.role)
  const named = 'endpoint' in row.fields ? await onEndpoint(house, held, String(values['endpoint'])) : request
  if (named === null) return
  const proposal = await propose(house, named)
  if (proposal.kind === 'later') return later(house, held, proposal.says)
  const { endpoint } = named
  if (proposal.kind === 'no')
    return end(house, held, 'refused', { says: proposal.says }, { change: { ...(endpoint && { endpoint }) } })
  // Settings can be read nowhere: what the last patch answered is all there is to compare with, and to go back to.
  const patches = endpoint !== undefined && proposal.plan.some(({ goal }) => goal === 'answered')
  const before = patches ? await house.store.settingsOf(endpoint.id) : null
  return begin(house, held, before === null ? named : { ...named, before }, proposal)
}

/** The request with the endpoint it names; null when it has been ended or put off for want of one. */
async function onEndpoint(house: House, held: Held, word: string): Promise<Request | null> {
  const { request } = held
  const found = await findEndpoint(house, word, operationIn(request.line).row.name, 'operation')
  if (found.kind === 'found') return { ...request, endpoint: { id: found.endpoint.id, name: found.endpoint.name } }
  if (found.kind === 'later') await later(house, held, found.says)
  else await end(house, held, 'refused', { says: found.says, offers: found.offers })
  return null
}

/** Asks people, or goes to work: either way the endpoint is held from here to the end. */
export async function begin(house: House, held: Held, request: Request, proposal: Proposal): Promise<void> {
  const { endpoint, demand, change } = proposal
  if (demand.requirement === 'refusal')
    return end(house, held, 'refused', {
      says: `${endpoint?.name ?? 'This'} is protected against this, by ${demand.rule}. Nothing was done.`,
    })
  if (demand.requirement === 'approval' && house.seals === null)
    return end(house, held, 'refused', { says: sentences.needsKey })
  const next = withPlan(house, request, proposal)
  if (change !== undefined && next.status === 'running') return enacted(house, held, next, proposal)
  const event = {
    at: house.clock.now(),
    what: next.status,
    by: request.actor,
    detail: `${request.line} — ${proposal.why}`,
    ...(endpoint && { seen: seenIn(endpoint, house.clock.now()) }),
  }
  // Our own records are changed in one write: nothing has to be held for it.
  if (endpoint === undefined || change !== undefined) return void (await held.move(next, [event]))
  // What nobody has to agree to was read a moment ago, by this very worker: there is nothing to look up again.
  const moved =
    next.status === 'running'
      ? await send(workOf(house, held, next), seenIn(endpoint, house.clock.now()), { events: [event] })
      : await held.move(next, [event], { lock: 'take' })
  if (moved.kind === 'moved') return
  const way = await makeWay(house, request, moved.by)
  if (way === 'made') return begin(house, held, request, proposal)
  // Another worker is looking at it this moment: it will be put down again at once.
  if (way === 'busy') return void (await held.move({ ...held.request, nextAt: house.clock.now() + 300 }, []))
  const holder = await house.store.load(moved.by)
  const says = sentences.taken(endpoint.name, holder?.line ?? 'it is ending just now')
  return end(house, held, 'refused', { says, about: moved.by })
}

function withPlan(house: House, request: Request, proposal: Proposal): Request {
  const { endpoint, plan, change, exposure, demand, digest, why } = proposal
  const at = house.clock.now()
  const { decision: _, votes: __, ...undecided } = request
  const planned = {
    ...undecided,
    ...(endpoint && { endpoint: { id: endpoint.id, name: endpoint.name } }),
    plan,
    ...(change && { change }),
    exposure,
    requirement: demand.requirement,
    digest,
    policy: house.policy().version,
  }
  if (demand.requirement === 'nothing')
    return { ...planned, ...(request.decision && { decision: request.decision }), ...underWay(plan, at) }
  const ask = nextAsk(request, demand, why, at)
  return { ...planned, status: 'awaiting', ask, nextAt: lookAt(ask) }
}

/** What a request is from the moment that its work may begin. */
export function underWay(plan: Plan, at: number): Pick<Request, 'status' | 'startedAt' | 'progress' | 'nextAt'> {
  return { status: 'running', startedAt: at, progress: plan.map(() => ({ sends: [], looks: [] })), nextAt: at }
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
