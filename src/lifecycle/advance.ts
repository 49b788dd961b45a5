import { Newer } from '../core/model/formats.ts'
import { isAutomatic, isEnded, labelsOf, type Request, terms } from '../core/model/request.ts'
import { isSame } from '../core/model/roles.ts'
import { say, type Words } from '../core/model/words.ts'
import { type ClaimedRequest, LeaseLost, type Services, type ShowResult, Tampered } from '../core/ports/services.ts'
import { traced } from '../core/ports/traces.ts'
import { Unproven } from '../core/requests/claim-other.ts'
import { end } from '../core/requests/end.ts'
import { readEndpoint } from '../core/requests/find-endpoint.ts'
import { endIfPointless, expire } from '../features/approvals/question.ts'
import { review } from '../features/approvals/review.ts'
import { nameStandIns } from '../features/approvals/stand-ins.ts'
import { lockedDown, lockIfTampered } from '../features/safeguards/lockdown.ts'
import { runStep } from './execute.ts'
import { giveUp, leftBack } from './execution/compensate.ts'
import { currentStep, seenIn } from './execution/work.ts'
import { answer } from './run-query.ts'
import { submit } from './submit.ts'
import { actOnNotice, refreshQuestion } from './while-waiting.ts'

/** After this many claims without a release a request is ended, because it crashes workers. */
const mostStarts = 5

/**
 * The only job: claims a request, works on it until it has to wait, shows it and releases it. It may run twice, late,
 * concurrently or never; the lease, the version and the sweep make that safe.
 */
export async function advance(services: Services, id: string): Promise<void> {
  const held = await claimed(services, id)
  if (held === null) return
  const attributes = { ...labelsOf(held.request), starts: held.starts }
  await traced(`request ${attributes.verb}`, { attributes, after: held.request.trace }, async (note) => {
    await workOn(services, held)
    note({ status: held.request.status })
  })
}

async function workOn(services: Services, held: ClaimedRequest): Promise<void> {
  const show = showing(services, held)
  const { starts, request } = held
  const { id } = request
  if (starts > 1 || request.status === 'received') services.log.info({ request: id, starts }, 'picked up')
  held.watch(show.soon)
  try {
    if (starts > mostStarts && restoringFor(services, request) !== null) return await releaseLater(services, held)
    do await live(services, held)
    while (!(await showAndRelease(services, held, show)))
  } catch (error) {
    if (error instanceof LeaseLost) {
      if (error.cause !== undefined) services.log.warn({ request: id, err: error.cause }, 'released a request')
      return held.abandon()
    }
    if (error instanceof Newer) {
      // Without a newer process, the request expires by its own deadlines.
      services.left.note(id, error)
      return held.leave().catch(() => held.abandon())
    }
    const isLocked = await lockIfTampered(services, error)
    if (!isLocked) services.log.error({ request: id, err: error }, 'a request failed with an internal error')
    const says = error instanceof Tampered ? lockedDown(error.says) : say('request.broke')
    if (!isRestoring(held.request)) return broke(services, held, show, says)
    await show.settled().catch(() => undefined)
    if (restoringFor(services, held.request) !== null) return releaseLater(services, held)
    if (held.starts > mostStarts) return broke(services, held, show, says)
    held.abandon()
  }
}

/** Claims a request. If it fails verification, the project is locked until an admin accepts the loss. */
async function claimed(services: Services, id: string): Promise<ClaimedRequest | null> {
  try {
    return await services.store.claim(id)
  } catch (error) {
    if (error instanceof Unproven) {
      const held = error.hold()
      services.log.warn({ request: id }, 'ended a request from before a data loss')
      await end(services, held, 'failed', { says: say('request.lost') })
      return held
    }
    if (error instanceof Newer) {
      services.left.note(id, error)
      return null
    }
    if (await lockIfTampered(services, error)) return null
    throw error
  }
}

async function live(services: Services, held: ClaimedRequest): Promise<void> {
  for (;;) {
    const { version } = held
    await step(services, held)
    if (held.version === version) return
    if (isEnded(held.request.status) && held.presses.length === 0) return
    const { nextAt } = held.request
    if (nextAt !== null && nextAt > services.clock.now() && held.presses.length === 0) return
  }
}

async function step(services: Services, held: ClaimedRequest): Promise<void> {
  const { status, kind, nextAt } = held.request
  if (!isEnded(status) && held.starts > mostStarts) return endBroken(services, held)
  if (status === 'awaiting' && ((await expire(services, held)) || (await endIfPointless(services, held)))) return
  const because = held.presses.map(({ trace }) => trace)
  if (because.length > 0) return traced('review', { attributes: {}, because }, () => review(services, held))
  if (status === 'awaiting' && (await nameStandIns(services, held))) return
  if (nextAt !== null && nextAt > services.clock.now()) return
  if (status === 'received' && (await identified(services, held))) return
  if (status === 'received') return kind === 'query' ? answer(services, held) : submit(services, held)
  if (status === 'awaiting' && held.request.requirement !== 'notice') return refreshQuestion(services, held)
  if (status === 'awaiting') return actOnNotice(services, held)
  if (status === 'running') return runStep(services, held)
}

/** Stores the requester's single identity. False if nothing changed, as for owners of rules. */
async function identified(services: Services, held: ClaimedRequest): Promise<boolean> {
  const { request } = held
  if (isAutomatic(request)) return false
  const actor = await services.people.known(request.actor)
  if (actor === null) {
    await end(services, held, 'refused', { says: say('role.unchecked'), privately: true })
    return true
  }
  if (isSame(actor, request.actor)) return false
  await held.move({ ...request, actor, cameAs: request.actor }, [])
  return true
}

/** Returns false if something came in meanwhile: the claim is kept and the work continues. */
async function showAndRelease(services: Services, held: ClaimedRequest, show: Showing): Promise<boolean> {
  const shown = await show.settled()
  if (shown.unpostable !== undefined && held.request.status === 'awaiting') {
    await end(services, held, 'refused', { says: shown.unpostable, privately: true })
    return false
  }
  const { nextAt } = held.request
  const at = nextAt === null ? shown.again : shown.again === null ? nextAt : Math.min(nextAt, shown.again)
  if (!(await held.release(at))) {
    await held.refresh()
    // Another worker may have moved the request meanwhile and crashed before showing it.
    show.soon()
    return false
  }
  const wait = at === null ? Number.POSITIVE_INFINITY : Math.max(0, at - services.clock.now())
  // The sweep handles longer waits. It would also find this one, but up to five seconds late.
  if (wait < 60_000) await services.queue.wake(held.request, `${held.version}-${at}`, wait).catch(() => undefined)
  return true
}

/** Ends a request after an internal error. People are notified, and the endpoint's lock is released. */
async function broke(services: Services, held: ClaimedRequest, show: Showing, says: Words): Promise<void> {
  try {
    if (!isEnded(held.request.status)) await endBroken(services, held, says)
    show.soon()
    // Something came in meanwhile. It is found when the lease expires.
    if (!(await showAndRelease(services, held, show))) held.abandon()
  } catch (error) {
    // When the lease expires, the sweep takes the request again. If it keeps failing, the count of starts ends it.
    services.log.error({ request: held.request.id, err: error }, 'could not end a request after an internal error')
    held.abandon()
  }
}

/** Ends a request: with `attention` after a call, whose outcome may be unknown, otherwise with `failed`. */
async function endBroken(services: Services, held: ClaimedRequest, says: Words = say('request.broke')) {
  const { request } = held
  if (!isRestoring(request)) return end(services, held, isCalled(request) ? 'attention' : 'failed', { says })
  const work = currentStep(services, held)
  // The read itself may be what crashes the workers.
  const read = held.starts > mostStarts + 1 ? null : await readEndpoint(services, work.id, 'half').catch(() => null)
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
async function releaseLater(services: Services, held: ClaimedRequest): Promise<void> {
  const waited = restoringFor(services, held.request) ?? 0
  const at = services.clock.now() + Math.min(longest, Math.max(shortest, waited / 4))
  if (!(await held.release(at).catch(() => false))) held.abandon()
}

type Showing = ReturnType<typeof showing>

/** Shows a request, one update at a time. Changes made meanwhile are shown together in the next update. */
function showing(services: Services, held: ClaimedRequest) {
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let stale = true
  let leaving = false
  let result: ShowResult = { again: null }

  async function run(): Promise<void> {
    while (stale) {
      stale = false
      result = await services.notifier.show(held)
    }
    running = null
    again(result.again)
  }

  function start(): Promise<void> {
    running ??= run().catch((error) => {
      running = null
      if (error instanceof LeaseLost || error instanceof Newer) throw error
      services.log.error({ request: held.request.id, err: error }, 'could not show a request in Slack')
      result = { again: services.clock.now() + 5_000 }
    })
    return running
  }

  /** Shows a postponed message when it is due, unless the request is released first. */
  function again(at: number | null): void {
    clearTimeout(timer)
    if (at !== null && !leaving) timer = setTimeout(soon, Math.max(0, at - services.clock.now()))
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
