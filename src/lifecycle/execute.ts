import { terms } from '../core/model/limits.ts'
import { progressOf } from '../core/model/plan.ts'
import { sentences } from '../core/model/sentences.ts'
import type { Held, House } from '../core/ports/services.ts'
import { anew, end, later } from '../core/requests/end.ts'
import { enoughFor, readEndpoint } from '../core/requests/read-endpoint.ts'
import { sealedIn } from '../core/requests/sealed-values.ts'
import { enacted } from './ask-or-run.ts'
import { reached, settle } from './execution/await-effect.ts'
import { couldNot, isHalted, setBack } from './execution/compensate.ts'
import { waitFor } from './execution/resend.ts'
import { judge } from './execution/resolve-unknown.ts'
import { send } from './execution/send.ts'
import { look, seenIn, type Work, withProgress, workOf } from './execution/work.ts'
import { propose } from './planning/plan.ts'
import { stillAgreed } from './recheck.ts'

/** Does the next thing that the first unfinished step needs: one call, or one look. */
export async function perform(house: House, held: Held): Promise<void> {
  if (held.request.change !== undefined) return enact(house, held)
  const work = workOf(house, held)
  switch (work.last === undefined ? 'unsent' : work.last.outcome?.kind) {
    case 'unsent':
      return held.request.progress?.some(({ sends }) => sends.length > 0) ? next(work) : first(work)
    case 'answered':
      return settle(work)
    default:
      return judge(work)
  }
}

/** Everything that was agreed to is looked up once more, right before the first call. */
async function first(work: Work): Promise<void> {
  const { house, held, request } = work
  const now = house.clock.now()
  const since = request.decision?.at ?? request.startedAt ?? now
  if (now - since > terms.start) return end(house, held, 'expired', { says: sentences.tooLate })

  const proposal = await propose(house, request, held.command)
  if (proposal.kind === 'later') return later(house, held, proposal.says)
  if (proposal.kind === 'no' || proposal.endpoint === undefined)
    return end(house, held, 'cancelled', { says: proposal.kind === 'no' ? proposal.says : sentences.broke })
  if (!(await stillAgreed(house, held, proposal))) return
  // Found out before anything is stopped for it, rather than half way.
  if (request.sealed === true && (await sealedIn(house, held)) === null)
    return end(house, held, 'cancelled', { says: sentences.sealGone })
  if (proposal.waitsUntil !== undefined) return putOff(work, proposal.waitsUntil)
  const sent = await send(work, seenIn(proposal.endpoint, house.clock.now()), { records: proposal.records })
  if (sent.kind === 'outdated') return anew(house, held, request)
}

/** The step after one that was done: read first, since somebody may have moved the endpoint meanwhile. */
async function next(work: Work): Promise<void> {
  const { house, step, name } = work
  if (await isHalted(work)) return
  const [read, late] = await Promise.all([
    readEndpoint(house, work.id, step.goal === 'serving' ? 'half' : enoughFor(step)),
    house.store.lateOf(work.id),
  ])
  if (read.kind === 'gone') return setBack(work, 'attention', { says: `${name} is no longer there. ${read.says}` })
  if (read.kind !== 'read') return look(work, null, 5_000)
  const seen = seenIn(read.endpoint, house.clock.now())
  // What we have stopped is started whatever a read says: it may still show what was before our own stop.
  const trusted = step.goal !== 'answered' && step.goal !== 'serving'
  if (trusted && progressOf(step.goal, read.endpoint) === 'reached') return reached(work, seen)
  const fits = step.needs === undefined || seen.active === (step.needs === 'active')
  if (!fits) return setBack(work, 'failed', { says: `${couldNot(work)} Somebody else changed it meanwhile.`, seen })
  const waitsUntil = waitFor(late, step, house.clock.now())
  if (waitsUntil !== null) return putOff(work, waitsUntil)
  await send(work, seen)
}

/** An earlier call that would undo this one may still arrive. */
async function putOff({ held, at, progress }: Work, waitsUntil: number): Promise<void> {
  await held.move(withProgress(held.request, at, { ...progress, waitsUntil }, waitsUntil), [])
}

/** Carries out a change that people have agreed to, on what holds by now. */
async function enact(house: House, held: Held): Promise<void> {
  const { request } = held
  if (house.clock.now() - (request.decision?.at ?? 0) > terms.start)
    return end(house, held, 'expired', { says: sentences.tooLate })
  const proposal = await propose(house, request, held.command)
  if (proposal.kind === 'later') return later(house, held, proposal.says)
  if (proposal.kind === 'no') return end(house, held, 'cancelled', { says: proposal.says })
  if (!(await stillAgreed(house, held, proposal))) return
  await enacted(house, held, request, proposal)
}
