import type { Switched } from '../domain/endpoint.ts'
import { sentences } from '../domain/errors.ts'
import type { Step } from '../domain/plan.ts'
import { isStricter } from '../domain/policy.ts'
import type { Progress, Send } from '../domain/progress.ts'
import { type Event, mostAsks, mostSends, type Request, terms } from '../domain/request.ts'
import type { Call } from '../operations/call.ts'
import { couldNot, end } from './end.ts'
import { mayAct } from './identify.ts'
import { quoted, withProgress } from './journal.ts'
import { judge } from './judge.ts'
import { type Held, type House, LeaseLost, type Outcome } from './ports.ts'
import { propose } from './propose.ts'
import { readEndpoint } from './read.ts'
import { lastSeen, looksSame, seenIn } from './seen.ts'
import { settle } from './settle.ts'
import { begin, later } from './submit.ts'

/** Does the next thing that the first unfinished step needs: one call, or one look. */
export async function perform(house: House, held: Held): Promise<void> {
  const { request } = held
  const at = request.progress?.findIndex(({ done }) => done !== true) ?? -1
  const step = request.plan?.[at]
  const progress = request.progress?.[at]
  if (step === undefined || progress === undefined) throw new Error('A running request has nothing left to do.')
  const last = progress.sends.at(-1)
  if (last === undefined) return first(house, held, at, step)
  switch (last.outcome?.kind) {
    case 'answered':
      return settle(house, held, at, step, progress)
    case 'refused':
      return refused(house, held, last)
    case 'unreached':
      return unreached(house, held, at, step, progress)
    default:
      // 500, unknown, or never recorded: only reading can tell what became of it.
      return judge(house, held, at, step, progress, (before) => send(house, held, at, step, before))
  }
}

/** Everything that was agreed to is looked up once more, right before the first call. */
async function first(house: House, held: Held, at: number, step: Step): Promise<void> {
  const { request } = held
  const now = house.clock.now()
  const since = request.decision?.at ?? request.startedAt ?? now
  if (now - since > terms.start) return end(house, held, 'expired', { says: sentences.tooLate })

  const proposal = await propose(house, request)
  if (proposal.kind === 'later') return later(house, held, proposal.says)
  if (proposal.kind === 'no') return end(house, held, 'cancelled', { says: proposal.says })
  if (proposal.digest !== request.digest || isStricter(proposal.requirement, request.requirement ?? 'nothing')) {
    if ((request.ask?.n ?? 0) >= mostAsks) return end(house, held, 'cancelled', { says: sentences.changing })
    return begin(house, held, request, proposal)
  }
  const refusal = await noLonger(house, request)
  if (refusal !== null) return end(house, held, 'refused', { says: refusal })
  return send(house, held, at, step, seenIn(proposal.endpoint, house.clock.now()))
}

/** Roles may have been taken away since the asking and the press. */
async function noLonger(house: House, request: Request): Promise<string | null> {
  const asker = await mayAct(house, request.actor, request.place, 'operator')
  if (asker.kind === 'not') return asker.says
  if (request.decision === undefined) return null
  const decider = await mayAct(
    house,
    request.decision.by,
    request.place,
    request.requirement === 'approval' ? 'approver' : 'operator',
  )
  return decider.kind === 'not' ? decider.says : null
}

/** Room between the end of a call and the end of the lease, ms: enough to write down how it went. */
const margin = 2_000

/** Journals the call, makes it, journals how it went. The first write is on disk before the call leaves. */
async function send(house: House, held: Held, at: number, step: Step, before: Send['before']): Promise<void> {
  if (held.until() - house.clock.monotonic() < house.platform.timeoutMs + margin) {
    throw new LeaseLost('Too little of the lease is left for a call; whoever holds it next makes it.')
  }
  const sentAt = house.clock.now()
  const sends: readonly Send[] = [...(held.request.progress?.[at]?.sends ?? []), { at: sentAt, before }]
  await held.move(withProgress(held.request, at, { sends, looks: [] }), [
    { at: sentAt, what: 'sent', detail: step.says },
  ])

  const outcome = contradicted(step, await house.platform.send(step.call as Call<Switched>))
  const answeredAt = house.clock.now()
  const says = outcome.kind === 'answered' ? outcome.answer.message : outcome.says
  const known = sends.with(-1, { at: sentAt, before, outcome: { kind: outcome.kind, at: answeredAt, says } })
  const event: Event = { at: answeredAt, what: outcome.kind, detail: says }
  await held.move(withProgress(held.request, at, { sends: known, looks: [] }), [event])
}

/** An answer that says the opposite of what was asked proves nothing. */
function contradicted(step: Step, outcome: Outcome<Switched>): Outcome<Switched> {
  if (outcome.kind !== 'answered') return outcome
  const opposite = step.goal === 'stopped' ? true : step.goal === 'serving' ? false : undefined
  return outcome.answer.active === opposite ? { kind: 'unknown', says: outcome.answer.message } : outcome
}

/** A definite no of the platform, in its own words, with what is to be seen afterwards. */
async function refused(house: House, held: Held, last: Send): Promise<void> {
  const { endpoint } = held.request
  const read = await readEndpoint(house, endpoint?.id ?? '')
  const seen =
    read.kind === 'read' ? lastSeen(seenIn(read.endpoint, house.clock.now())) : 'Its state could not be read.'
  return end(house, held, 'failed', { says: `${couldNot(held.request)} ${seen}`, ...quoted(last) })
}

/** Nothing was sent, so it may be tried again without a thought, a few times. */
async function unreached(house: House, held: Held, at: number, step: Step, progress: Progress): Promise<void> {
  const last = progress.sends.at(-1)
  const tries = progress.sends.length
  if (last === undefined || tries >= mostSends) {
    const says = `${couldNot(held.request)} The platform could not be reached, so nothing was changed.`
    return end(house, held, 'failed', { says, ...(last && quoted(last)) })
  }
  const due = (last.outcome?.at ?? last.at) + 2_000 * tries
  if (house.clock.now() < due) return rest(held, due)
  const read = await readEndpoint(house, held.request.endpoint?.id ?? '')
  if (read.kind !== 'read') return rest(held, house.clock.now() + 5_000)
  const seen = seenIn(read.endpoint, house.clock.now())
  if (!looksSame(seen, last.before)) {
    return end(house, held, 'failed', {
      says: `${couldNot(held.request)} It changed meanwhile, by somebody else. ${lastSeen(seen)}`,
    })
  }
  return send(house, held, at, step, seen)
}

/** Looks again at `at`, ms. */
async function rest(held: Held, at: number): Promise<void> {
  await held.move({ ...held.request, nextAt: at }, [])
}
