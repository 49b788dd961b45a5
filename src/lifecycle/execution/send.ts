import { buttonTo } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { defined } from '../../core/model/defined.ts'
import { isScaledElsewhere, looksToKeep, progressOf, type Seen, showsEffect, stepName } from '../../core/model/plan.ts'
import { type Event, terms } from '../../core/model/request.ts'
import { say, type Words } from '../../core/model/words.ts'
import { contradicted, isSettings, platformMessage, scaleField, showsAll } from '../../core/ports/platform.ts'
import { LeaseLost, type Moved, type MoveOptions } from '../../core/ports/services.ts'
import { partNeededFor, type ReadOfOne, readEndpoint } from '../../core/requests/find-endpoint.ts'
import { withSealed } from '../../core/requests/sealed-values.ts'
import { startStopButtons } from '../../features/endpoints/state.ts'
import { failureText, leftUnread, notFound, stepFailed } from './compensate.ts'
import { completeStep, nextStop } from './complete.ts'
import { isRestoringStart } from './resend.ts'
import { currentStep, lastSeen, lookAgain, saveProgress, seenIn, type Work, withProgress } from './work.ts'

/** Time left between the end of a call and the end of the lease, ms: enough to record the outcome. */
const margin = 2_000

/** What the write of a request's first call also does or depends on. */
interface Opening extends Pick<MoveOptions, 'lock' | 'records'> {
  readonly event?: Event
}

/**
 * Records the call, makes it and records its outcome. The first write is on disk before the call is sent. Nothing is
 * sent if another request has the endpoint's lock, or if the plan's records have changed.
 */
export async function send(work: Work, before: Seen, { event: begun, ...options }: Opening = {}): Promise<Moved> {
  const { services, claim, request, at: index, step, progress } = work
  requireLease(work, margin)
  const call = await withSealed(services, claim, step.call)
  if (call === null) {
    await stepFailed(work, 'cancelled', { says: say('secret.gone') })
    return { kind: 'moved' }
  }
  // The settings are unknown until the platform answers with the new ones.
  if (step.goal === 'answered') await services.store.forgetSettings(work.id)
  const at = services.clock.now()
  const sends = [...progress.sends, { at, before }]
  const sent = { at, what: 'sent', detail: stepName(step) }
  const journalled = withProgress(request, index, { sends, looks: [] })
  const moved = await claim.move(journalled, begun === undefined ? [sent] : [begun, sent], options)
  if (moved.kind !== 'moved') return moved
  // The write may have been slow, or the process suspended. A call must not outlast the lease.
  requireLease(work, 0)

  // The end of a start needs this, which is read during the call. If that fails, it is read again then.
  const mayEnd = index + 1 === request.plan?.length && claim.command.row.wants === 'up'
  const earlier = mayEnd ? services.store.lastDone(work.id).catch(() => undefined) : undefined
  const outcome = contradicted(step, await services.platform.send(call))
  const says = outcome.kind === 'answered' ? platformMessage(outcome.answer) : outcome.says
  const pause = outcome.kind === 'unreached' ? outcome.pause : undefined
  const remedy = outcome.kind === 'refused' ? outcome.remedy : undefined
  const answered = defined({ kind: outcome.kind, at: services.clock.now(), says, remedy, pause })
  if (outcome.kind === 'answered' && isSettings(outcome.answer) && showsAll(step, outcome.answer, request.before))
    await services.store.rememberSettings(outcome.answer)
  const asked = outcome.kind === 'refused' ? scaleField(outcome.says) : undefined
  if (asked !== undefined) await services.store.hint(asked)
  const known = { sends: sends.with(-1, { at, before, outcome: answered }), looks: [] }
  const event = defined({ at: answered.at, what: outcome.kind, detail: says })
  // The first read runs in parallel with the write, because it does not depend on it.
  const look = outcome.kind === 'answered' ? readEndpoint(services, work.id, partNeededFor(step)) : undefined
  await saveProgress(work, known, [event])
  if (look !== undefined) await checkEffect({ ...currentStep(services, claim), earlier: await earlier }, await look)
  return { kind: 'moved' }
}

/** Throws LeaseLost unless the lease lasts for a whole call and `more` ms. */
function requireLease({ services, claim }: Work, more: number): void {
  if (claim.until() - services.clock.monotonic() >= services.platform.timeoutMs + more) return
  throw new LeaseLost('Too little of the lease is left for a call; whoever holds it next makes it.')
}

/** Reads once to see whether an answered step has reached its goal. No worker waits between two reads. */
export async function checkEffect(answered: Work, reading?: ReadOfOne): Promise<void> {
  const { services, step, progress, last, name } = answered
  // A slow read may show the state at its beginning, so that is the time that counts.
  const begun = reading === undefined ? services.clock.now() : last?.outcome?.at
  const read = reading ?? (await readEndpoint(services, answered.id, partNeededFor(step)))
  const now = services.clock.now()
  const waited = (begun ?? now) - (last?.outcome?.at ?? now)
  const overdue = waited > terms.settle
  if (read.kind === 'gone') return notFound(answered)
  if (read.kind !== 'read') {
    const { unreadSince = now } = progress
    // Whether it has finished is unknown: earlier reads are too old to show that.
    return overdue && now - unreadSince >= terms.decided
      ? leftUnread(answered)
      : lookAgain({ ...answered, progress: { ...progress, unreadSince } }, null, pause(waited))
  }
  const seen = seenIn(read.endpoint, now)
  const work = withoutNeedlessScale(answered, seen)
  const saw = { ...work, progress: { ...progress, looks: [seen] } }
  switch (progressOf(step.goal, read.endpoint)) {
    case 'reached':
      return completeStep(work, seen)
    case 'failed': {
      const what = { says: failureText(work), seen, advice: await stopAhead(work, seen) }
      return stepFailed(saw, 'failed', what, { offers: [buttonTo('restart', work)] })
    }
    case 'away': {
      const wasUp = progress.looks.filter(({ active }) => active === true)
      // Right after the call, a read may still show the previous state.
      if (waited < terms.lag) return lookAgain(work, seen, pause(waited), wasUp)
      // The platform accepted our start after our own stop, but no read showed it running, and it is unknown why.
      if (isRestoringStart(step) && wasUp.length === 0) return doubt(work, seen)
      return stepFailed(saw, 'failed', { says: say('step.stoppedElsewhere', { name }), seen })
    }
    default:
      // Right after the call, a read may still show the previous state.
      if (waited >= terms.lag && isScaledElsewhere(step.goal, progress.looks, seen))
        return stepFailed(saw, 'failed', { says: [failureText(work), say('step.elsewhere')], seen })
      // The last read with the wanted number stays, to tell a change by somebody else.
      return overdue
        ? tooSlow(work, seen)
        : lookAgain(work, seen, pause(waited), looksToKeep(step.goal, progress.looks))
  }
}

/** Skips the scale after a restart's start if somebody else has changed the replicas that the start brought back. */
function withoutNeedlessScale(work: Work, seen: Seen): Work {
  const { request, at, progress, last } = work
  const [next, before] = [request.progress?.[at + 1], progress.looks.at(-1)]
  const goal = request.plan?.[at + 1]?.goal
  if (!next || !before || !goal?.includes(':') || last?.outcome === undefined) return work
  // Right after the call, a read may still show the replicas of before.
  const wereBack = before.at - last.outcome.at >= terms.lag && showsEffect(goal, before)
  if (!wereBack || seen.replicas === undefined || showsEffect(goal, seen)) return work
  return { ...work, request: withProgress(request, at + 1, { ...next, done: true }) }
}

/** Marks an answered call as unclear, because no read shows its effect. */
async function doubt(work: Work, seen: Seen): Promise<void> {
  const { progress, last } = work
  if (last?.outcome === undefined) throw new Error('A call without an answer cannot be checked.')
  const sends = progress.sends.with(-1, { ...last, outcome: { ...last.outcome, doubted: true } })
  const event = { at: seen.at, what: 'not seen yet', detail: lastSeen(seen) }
  await saveProgress(work, { sends, looks: [seen] }, [event])
}

/** "It stops today at 18:00.", because it is paid for until then even if it doesn't serve. */
async function stopAhead(work: Work, seen: Seen): Promise<Words> {
  const stop = seen.active === true ? await nextStop(work, seen) : null
  return stop === null ? '' : say('step.stopsAt', { at: { at: stop } })
}

async function tooSlow(work: Work, seen: Seen): Promise<void> {
  const { id, name, step, request } = work
  const advice = [say('step.seeLogs'), await stopAhead(work, seen)]
  const logs = { label: say('action.logs'), line: `logs ${writeWord(id)}` }
  // Nobody wants a stop that was only part of a restart.
  const isPart = step.goal === 'stopped' && request.plan?.length !== 1
  const offers = [logs, ...(isPart ? [] : startStopButtons({ id, name, active: seen.active }))]
  return stepFailed(work, 'attention', { says: say('step.slow', { name }), seen, advice }, { offers })
}

/** The pause before the next read, ms: short at first, then longer. */
function pause(waited: number): number {
  return Math.min(10_000, Math.max(500, waited / 4))
}
