import { Newer } from '../core/model/formats.ts'
import { isAnnounced, isAutomatic, isEnded, labelsOf, type Request, terms } from '../core/model/request.ts'
import { isSame } from '../core/model/roles.ts'
import { say, type Words } from '../core/model/words.ts'
import {
  type ClaimedRequest,
  type Clock,
  LeaseLost,
  type Services,
  type ShowResult,
  Tampered,
} from '../core/ports/services.ts'
import { traced } from '../core/ports/traces.ts'
import { Unproven } from '../core/requests/claim-other.ts'
import { end, failedBecause } from '../core/requests/end.ts'
import { readEndpoint } from '../core/requests/find-endpoint.ts'
import { endIfPointless, expire, waitsForEarlier } from '../features/approvals/question.ts'
import { review } from '../features/approvals/review.ts'
import { nameStandIns } from '../features/approvals/stand-ins.ts'
import { lockedDown, lockIfTampered } from '../features/safeguards/lockdown.ts'
import { runStep } from './execute.ts'
import { giveUp, leftBack } from './execution/compensate.ts'
import { rememberLate } from './execution/resolve-unknown.ts'
import { currentStep, seenIn } from './execution/work.ts'
import { runQuery } from './run-query.ts'
import { submit } from './submit.ts'
import { actOnNotice, refreshQuestion } from './while-waiting.ts'

/** After this many claims without a release a request is ended, because it crashes workers. */
const mostStarts = 5

/**
 * The only job: claims a request, works on it until it has to wait, shows it and releases it. It may run twice, late,
 * concurrently or never; the lease, the version and the sweep make that safe.
 */
export async function advance(services: Services, id: string): Promise<void> {
  const claim = await claimed(services, id)
  if (claim === null) return
  const attributes = { ...labelsOf(claim.request), starts: claim.starts }
  await traced(`request ${attributes.verb}`, { attributes, after: claim.request.trace }, async (note) => {
    await workOn(services, claim)
    note({ status: claim.request.status })
  })
}

/** The most requests per sweep, so that they do not all start at once after a long outage. */
const mostSwept = 100
const atOnce = 8
/** Longer than any pause of a request that does not wait for people, ms. */
const longestRest = 5 * 60_000
/** How far a clock may have been set back before a process started, ms. */
const mostBack = 2 * 3_600_000
/** The latest time of each clock, ms since 1970. After it is set back, the times of requests are too far ahead. */
const latest = new WeakMap<Clock, number>()

/** Runs late requests without the queue, every few seconds, so that a lost job costs only seconds. */
export async function sweep({ store, clock, left }: Services, takeUp: (id: string) => Promise<void>): Promise<void> {
  const now = clock.now()
  const before = latest.get(clock)
  latest.set(clock, Math.max(now, before ?? now))
  const reached = before ?? now + mostBack
  const until = now < reached ? reached + longestRest : now
  const due = [...(await store.due(until, mostSwept, left.resting()))]
  async function worker(): Promise<void> {
    for (let id = due.shift(); id !== undefined; id = due.shift()) await takeUp(id)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function workOn(services: Services, claim: ClaimedRequest): Promise<void> {
  const show = showing(services, claim)
  const { starts, request } = claim
  const { id } = request
  if (starts > 1 || request.status === 'received') services.log.info({ request: id, starts }, 'picked up')
  claim.watch(show.soon)
  try {
    if (starts > mostStarts && restoringFor(services, request) !== null) return await releaseLater(services, claim)
    do await live(services, claim)
    while (!(await showAndRelease(services, claim, show)))
  } catch (error) {
    if (error instanceof LeaseLost) {
      if (error.cause !== undefined) services.log.warn({ request: id, err: error.cause }, 'released a request')
      return claim.abandon()
    }
    if (error instanceof Newer) {
      // Without a newer process, the request expires by its own deadlines.
      services.left.note(id, error)
      return claim.leave().catch(() => claim.abandon())
    }
    const isLocked = await lockIfTampered(services, error)
    if (!isLocked) services.log.error({ request: id, err: error }, 'a request failed with an internal error')
    const says = error instanceof Tampered ? lockedDown(error.says) : say('request.broke')
    if (!isRestoring(claim.request)) return broke(services, claim, show, says)
    await show.settled().catch(() => undefined)
    if (restoringFor(services, claim.request) !== null) return releaseLater(services, claim)
    if (claim.starts > mostStarts) return broke(services, claim, show, says)
    claim.abandon()
  }
}

/** Claims a request. If it fails verification, the project is locked until an admin accepts the loss. */
async function claimed(services: Services, id: string): Promise<ClaimedRequest | null> {
  try {
    return await services.store.claim(id)
  } catch (error) {
    if (error instanceof Unproven) {
      const claim = error.claim()
      services.log.warn({ request: id }, 'ended a request from before a data loss')
      await end(services, claim, 'failed', { says: say('request.lost') })
      return claim
    }
    if (error instanceof Newer) {
      services.left.note(id, error)
      return null
    }
    if (await lockIfTampered(services, error)) return null
    throw error
  }
}

async function live(services: Services, claim: ClaimedRequest): Promise<void> {
  for (;;) {
    const { version } = claim
    await step(services, claim)
    if (claim.version === version) return
    if (isEnded(claim.request.status) && claim.presses.length === 0) return
    if (isResting(claim.request, services.clock.now()) && claim.presses.length === 0) return
  }
}

/** Whether nothing is to be done yet. A time too far ahead was stored before the clock was set back. */
function isResting({ status, receivedAt, nextAt }: Request, now: number): boolean {
  // The clock of the process that received it may be ahead.
  if (status === 'received' && nextAt === receivedAt) return false
  return nextAt !== null && nextAt > now && (status === 'awaiting' || nextAt <= now + longestRest)
}

async function step(services: Services, claim: ClaimedRequest): Promise<void> {
  const { status, kind, receivedAt } = claim.request
  if (!isEnded(status) && claim.starts > mostStarts) return endBroken(services, claim)
  if (status === 'awaiting' && (await waitsForEarlier(services, claim))) return
  if (status === 'awaiting' && ((await expire(services, claim)) || (await endIfPointless(services, claim)))) return
  const because = claim.presses.map(({ trace }) => trace)
  if (because.length > 0) return traced('review', { attributes: {}, because }, () => review(services, claim))
  if (status === 'awaiting' && (await nameStandIns(services, claim))) return
  if (isResting(claim.request, services.clock.now())) return
  if (status === 'received' && (await identified(services, claim))) return
  if (status === 'received' && services.clock.now() - receivedAt > terms.received)
    return end(services, claim, 'expired', { says: failedBecause(services, claim.request, say('request.notTaken')) })
  if (status === 'received') return kind === 'query' ? runQuery(services, claim) : submit(services, claim)
  if (status === 'awaiting') return (isAnnounced(claim.request) ? actOnNotice : refreshQuestion)(services, claim)
  if (status === 'running') return runStep(services, claim)
}

/** Stores the requester's single identity. False if nothing changed, as for owners of rules. */
async function identified(services: Services, claim: ClaimedRequest): Promise<boolean> {
  const { request } = claim
  if (isAutomatic(request)) return false
  const actor = await services.people.known(request.actor)
  if (actor === null) {
    await end(services, claim, 'refused', { says: say('role.unchecked'), privately: true })
    return true
  }
  if (isSame(actor, request.actor)) return false
  await claim.move({ ...request, actor, cameAs: request.actor }, [])
  return true
}

/** Returns false if something came in meanwhile: the claim is kept and the work continues. */
async function showAndRelease(services: Services, claim: ClaimedRequest, show: Showing): Promise<boolean> {
  const shown = await show.settled()
  if (shown.unpostable !== undefined && claim.request.status === 'awaiting') {
    await end(services, claim, 'refused', { says: shown.unpostable, privately: true })
    return false
  }
  const { nextAt } = claim.request
  const at = nextAt === null ? shown.again : shown.again === null ? nextAt : Math.min(nextAt, shown.again)
  if (!(await claim.release(at))) {
    await claim.refresh()
    // Another worker may have moved the request meanwhile and crashed before showing it.
    show.soon()
    return false
  }
  const wait = at === null ? Number.POSITIVE_INFINITY : Math.max(0, at - services.clock.now())
  // The sweep handles longer waits. It would also find this one, but up to five seconds late.
  if (wait < 60_000) await services.queue.wake(claim.request, `${claim.version}-${at}`, wait).catch(() => undefined)
  return true
}

/** Ends a request after an internal error. People are notified, and the endpoint's lock is released. */
async function broke(services: Services, claim: ClaimedRequest, show: Showing, says: Words): Promise<void> {
  try {
    if (!isEnded(claim.request.status)) await endBroken(services, claim, says)
    show.soon()
    // Something came in meanwhile. It is found when the lease expires.
    if (!(await showAndRelease(services, claim, show))) claim.abandon()
  } catch (error) {
    // When the lease expires, the sweep takes the request again. If it keeps failing, the count of starts ends it.
    services.log.error({ request: claim.request.id, err: error }, 'could not end a request after an internal error')
    claim.abandon()
  }
}

/** Ends a request: with `attention` after a call, whose outcome may be unknown, otherwise with `failed`. */
async function endBroken(services: Services, claim: ClaimedRequest, says: Words = say('request.broke')) {
  const { request } = claim
  if (!isCalled(request)) return end(services, claim, 'failed', { says: failedBecause(services, request, says) })
  const isOpen = request.progress?.some(({ done }) => done !== true)
  const work = isOpen ? currentStep(services, claim) : null
  // This may be what failed.
  if (work !== null) await rememberLate(work, work.progress.sends).catch(() => undefined)
  if (work === null || !isRestoring(request)) return end(services, claim, 'attention', { says })
  // The read itself may be what crashes the workers.
  const read = claim.starts > mostStarts + 1 ? null : await readEndpoint(services, work.id, 'half').catch(() => null)
  await giveUp(work, read?.kind === 'read' ? seenIn(read.endpoint, services.clock.now()) : undefined)
}

function isCalled({ progress = [] }: Request): boolean {
  return progress.some(({ sends }) => sends.length > 0)
}

/** True after a call while a restoring step is still to do: stopping here could leave the endpoint down. */
function isRestoring(request: Request): boolean {
  return request.status === 'running' && isCalled(request) && leftBack(request).length > 0
}

/** How long we have been restoring the endpoint, ms; null if we are not, or longer than the limit. */
function restoringFor({ clock }: Services, request: Request): number | null {
  if (!isRestoring(request)) return null
  const { progress = [] } = request
  const [next = 0] = leftBack(request)
  const since = progress[next]?.sends[0] ?? progress.flatMap(({ sends }) => sends).at(-1)
  const waited = clock.now() - (since?.at ?? 0)
  return waited > terms.putBack ? null : waited
}

/** The shortest and the longest pause before a failed restore is tried again, ms. */
const [shortest, longest] = [5_000, 60_000]

/** Releases the claim for a pause that grows with the time waited. If even that fails, the lease expires. */
async function releaseLater(services: Services, claim: ClaimedRequest): Promise<void> {
  const waited = restoringFor(services, claim.request) ?? 0
  const at = services.clock.now() + Math.min(longest, Math.max(shortest, waited / 4))
  if (!(await claim.release(at).catch(() => false))) claim.abandon()
}

type Showing = ReturnType<typeof showing>

/** Shows a request, one update at a time. Changes made meanwhile are shown together in the next update. */
function showing(services: Services, claim: ClaimedRequest) {
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let stale = true
  let leaving = false
  let result: ShowResult = { again: null }

  async function run(): Promise<void> {
    while (stale) {
      stale = false
      result = await services.notifier.show(claim)
    }
    running = null
    clearTimeout(timer)
    // A postponed message is shown when it is due, unless the request is released first.
    if (result.again !== null && !leaving) timer = setTimeout(soon, Math.max(0, result.again - services.clock.now()))
  }

  function start(): Promise<void> {
    running ??= run().catch((error) => {
      running = null
      if (error instanceof LeaseLost || error instanceof Newer) throw error
      services.log.error({ request: claim.request.id, err: error }, 'could not show a request in Slack')
      result = { again: services.clock.now() + 5_000 }
    })
    return running
  }

  /** Shows the request while the work continues, so that a slow chat does not delay the platform's calls. */
  function soon(): void {
    stale = true
    start().catch(() => undefined)
  }

  return {
    soon,
    /** Resolves when every message is shown or postponed. */
    settled: async (): Promise<ShowResult> => {
      leaving = true
      clearTimeout(timer)
      if (stale || running !== null) await start()
      leaving = false
      return result
    },
  }
}
