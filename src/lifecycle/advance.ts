import { Newer } from '../core/model/formats.ts'
import { type Event, isAutomatic, isEnded, labelsOf, type Request, terms } from '../core/model/request.ts'
import { isSame } from '../core/model/roles.ts'
import { idOf, say, type Words } from '../core/model/words.ts'
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
import { actOnNotice, isTooSoon, refreshQuestion } from './while-waiting.ts'

/** A request that was claimed this often and never released crashes workers, so it is ended. */
const mostStarts = 5

/**
 * The one job: claims a request, does whatever its state asks for until it has to wait, shows it, releases it.
 * May run twice, late, beside itself or never; the lease, the version and the sweep see to that.
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
  held.watch((events) => {
    show.soon()
    note(services, held, events)
  })
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
      // Without a newer process it ends with its own terms.
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

/** What the log calls an event. The event's own words are never logged, since people typed some of them. */
const told: Readonly<Record<string, string>> = {
  awaiting: 'asked',
  approved: 'decided',
  agreed: 'decided',
  'broke the glass': 'decided',
  'fell due': 'decided',
  sent: 'called',
  answered: 'the platform answered',
  refused: 'the platform refused',
  failed: 'the platform failed',
  unknown: 'the platform gave no clear answer',
  unreached: 'the platform could not be reached',
  'not seen yet': 'the platform accepted the call but does not show its effect yet',
}

/** Events of a call. Before any call, `refused` and `failed` are ends of the request itself. */
const calls = new Set(['sent', 'answered', 'refused', 'failed', 'unknown', 'unreached', 'not seen yet'])

function note({ log }: Services, { request }: ClaimedRequest, events: readonly Event[]): void {
  const { id, status } = request
  for (const { what, by } of events) {
    const isEnd = isEnded(status) && what === status
    const fields = isEnd ? { why: whyOf(request) } : { step: stepOf(request, what) }
    log.info({ request: id, status, by: by?.user, ...fields }, isEnd ? 'ended' : (told[what] ?? what))
  }
}

/** The step that an event of a call is about: "stop", "scale to 3". */
function stepOf({ plan = [], progress = [] }: Request, what: string): string | undefined {
  if (what === 'reached') return plan[progress.findLastIndex(({ done }) => done === true)]?.says
  return calls.has(what) ? plan[progress.findLastIndex(({ sends }) => sends.length > 0)]?.says : undefined
}

/** Why a request failed or was refused, without the words of people: how its call went, else the id of our sentence. */
function whyOf({ status, ending, progress = [] }: Request): string | undefined {
  if (status === 'succeeded') return undefined
  const outcome = progress.flatMap(({ sends }) => sends).at(-1)?.outcome?.kind
  return outcome === undefined || outcome === 'answered' ? idOf(ending?.says ?? '') : `the call: ${outcome}`
}

/** A stored request that fails verification is never executed. It locks the project until an admin accepts the loss. */
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
  if (status === 'received' && (await named(services, held))) return
  if (status === 'received') return kind === 'query' ? answer(services, held) : submit(services, held)
  if (status === 'awaiting' && held.request.requirement !== 'notice') return refreshQuestion(services, held)
  if (status === 'awaiting') return (await isTooSoon(services, held)) ? undefined : actOnNotice(services, held)
  if (status === 'running') return runStep(services, held)
}

/** Gives the requester the one name we know them by; false where they have it already, as owners of rules do. */
async function named(services: Services, held: ClaimedRequest): Promise<boolean> {
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

/** False if something new came in meanwhile: the claim is kept and the work goes on. */
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
    // Another worker may have moved it meanwhile, and died before it was shown.
    show.soon()
    return false
  }
  const wait = at === null ? Number.POSITIVE_INFINITY : Math.max(0, at - services.clock.now())
  // Longer waits are the sweep's; it would find this one too, only some seconds late.
  if (wait < 60_000) await services.queue.wake(held.request, `${held.version}-${at}`, wait).catch(() => undefined)
  return true
}

/** Ends a request after an internal error. People are told, and the endpoint's lock is released. */
async function broke(services: Services, held: ClaimedRequest, show: Showing, says: Words): Promise<void> {
  try {
    if (!isEnded(held.request.status)) await endBroken(services, held, says)
    show.soon()
    // Something came in meanwhile; it is found when the lease expires.
    if (!(await showAndRelease(services, held, show))) held.abandon()
  } catch (error) {
    // The lease lapses and the sweep takes it up again; the count of starts ends it if it keeps breaking.
    services.log.error({ request: held.request.id, err: error }, 'could not end a request after an internal error')
    held.abandon()
  }
}

/** Ends with `attention` if a call was made, since its outcome may be unknown, and else with `failed`. */
async function endBroken(services: Services, held: ClaimedRequest, says: Words = say('request.broke')) {
  const { request } = held
  if (!isRestoring(request)) return end(services, held, isCalled(request) ? 'attention' : 'failed', { says })
  const work = currentStep(services, held)
  // The read itself may be what crashes workers.
  const read = held.starts > mostStarts + 1 ? null : await readEndpoint(services, work.id, 'half').catch(() => null)
  await giveUp(work, read?.kind === 'read' ? seenIn(read.endpoint, services.clock.now()) : undefined)
}

function isCalled({ progress = [] }: Request): boolean {
  return progress.some(({ sends }) => sends.length > 0)
}

/** A call was made and the step that restores the endpoint is not done yet: stopping here could leave it down. */
function isRestoring(request: Request): boolean {
  return request.status === 'running' && isCalled(request) && leftBack(request).length > 0
}

/** How long we have been trying to restore the endpoint, ms; null if over the limit, or if we are not. */
function restoringFor({ clock }: Services, request: Request): number | null {
  if (!isRestoring(request)) return null
  const { progress = [] } = request
  const [next = 0] = leftBack(request)
  const since = progress[next]?.sends[0] ?? progress.flatMap(({ sends }) => sends).at(-1)
  const waited = clock.now() - (since?.at ?? 0)
  return waited > terms.putBack ? null : waited
}

/** The shortest and the longest pause before what broke is tried again, ms. */
const [shortest, longest] = [5_000, 60_000]

/** Releases the claim for a pause that grows with each failed try. If even that fails, the lease lapses. */
async function releaseLater(services: Services, held: ClaimedRequest): Promise<void> {
  const waited = restoringFor(services, held.request) ?? 0
  const at = services.clock.now() + Math.min(longest, Math.max(shortest, waited / 4))
  if (!(await held.release(at).catch(() => false))) held.abandon()
}

type Showing = ReturnType<typeof showing>

/** Shows a request once at a time. Changes meanwhile are shown together afterwards. */
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

  /** Shows a postponed message when it is due, unless the request is released before. */
  function again(at: number | null): void {
    clearTimeout(timer)
    if (at !== null && !leaving) timer = setTimeout(soon, Math.max(0, at - services.clock.now()))
  }

  /** Shows the request as it is now, beside the work: a slow chat must not hold up the platform. */
  function soon(): void {
    stale = true
    start().catch(() => undefined)
  }

  return {
    soon,
    /** Resolves when everything is shown or postponed. */
    settled: async (): Promise<ShowResult> => {
      leaving = true
      clearTimeout(timer)
      if (stale || running !== null) await start()
      leaving = false
      return result
    },
  }
}
