import { isSame } from '../core/model/actor.ts'
import { Newer } from '../core/model/formats.ts'
import type { Step } from '../core/model/plan.ts'
import { type Event, isEnded, type Request } from '../core/model/request.ts'
import { sentences } from '../core/model/sentences.ts'
import type { Lease } from '../core/ports/request-store.ts'
import { type Held, type House, LeaseLost } from '../core/ports/services.ts'
import { Unproven } from '../core/requests/claim-other.ts'
import { end } from '../core/requests/end.ts'
import { endMoot, expire, nudge } from '../features/approvals/question.ts'
import { review } from '../features/approvals/review.ts'
import { nameStandIns } from '../features/approvals/stand-ins.ts'
import { lockIfTampered } from '../features/safeguards/lockdown.ts'
import { perform } from './execute.ts'
import { offerTo } from './execution/compensate.ts'
import { fallDue, isTooSoon } from './notice-due.ts'
import { answer } from './run-query.ts'
import { type Showing, showing } from './show.ts'
import { submit } from './submit.ts'

/** A request taken up this often without being put down has stopped its workers; it must not stop more. */
const mostStarts = 5

/**
 * The one job: takes a request up, does whatever its state asks for until it has to wait, shows it, puts it down.
 * May run twice, late, beside itself or never; the lease, the version and the sweep see to that. `lease`: it is held
 * under this, or is to be.
 */
export async function advance(house: House, id: string, lease?: Lease): Promise<void> {
  const held = await claimed(house, id, lease)
  if (held === null) return
  const show = showing(house, held)
  const { starts, request } = held
  if (starts > 1 || request.status === 'received') house.log.info({ request: id, starts }, 'taken up')
  held.watch((events) => {
    show.soon()
    note(house, held, events)
  })
  try {
    do await live(house, held)
    while (!(await putDown(house, held, show)))
  } catch (error) {
    if (error instanceof LeaseLost) {
      if (error.cause !== undefined) house.log.warn({ request: id, err: error.cause }, 'let go of a request')
      return held.abandon()
    }
    if (error instanceof Newer) return leave(house, held, error)
    house.log.error({ request: id, err: error }, 'a request broke')
    await lockIfTampered(house, error)
    // Taken up again when the lease has lapsed, until it has broken too often.
    if (undoneBack(held.request) !== undefined && held.starts <= mostStarts) return held.abandon()
    await broke(house, held, show)
  }
}

/** How the history of a request is told in the log; never in its own words, since people typed some of them. */
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
}

/** What is told of a call that was made. Before anything was sent, `refused` and `failed` are of the request itself. */
const calls = new Set(['sent', 'answered', 'refused', 'failed', 'unknown', 'unreached'])

function note({ log }: House, { request }: Held, events: readonly Event[]): void {
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

/** Why a request failed or was refused, where that is known without the words of people: of ours only the fixed ones. */
function whyOf({ status, ending, progress = [] }: Request): string | undefined {
  if (status === 'succeeded') return undefined
  const [fixed] = Object.entries(sentences).find(([, says]) => says === ending?.says) ?? []
  const outcome = progress.flatMap(({ sends }) => sends).at(-1)?.outcome?.kind
  return fixed ?? (outcome === undefined || outcome === 'answered' ? undefined : `the call: ${outcome}`)
}

/** What is stored and cannot be believed is done by nobody, and stops all changes, unless an admin stands for the loss. */
async function claimed(house: House, id: string, lease?: Lease): Promise<Held | null> {
  try {
    return await house.store.claim(id, lease)
  } catch (error) {
    if (error instanceof Unproven) return endUnproven(house, error.hold())
    if (error instanceof Newer) {
      house.left.note(id, error)
      return null
    }
    if (await lockIfTampered(house, error)) return null
    throw error
  }
}

/** A newer process knows what this one does not; without one it ends with its own terms. */
async function leave(house: House, held: Held, why: Newer): Promise<void> {
  house.left.note(held.request.id, why)
  await held.leave().catch(() => held.abandon())
}

/** Nothing else may be done on it, and whoever asked is told. */
async function endUnproven(house: House, held: Held): Promise<Held> {
  house.log.warn({ request: held.request.id }, 'a request from before a loss of data was ended')
  await end(house, held, 'failed', { says: sentences.lostTrack })
  return held
}

async function live(house: House, held: Held): Promise<void> {
  for (;;) {
    const { version } = held
    await step(house, held)
    if (held.version === version) return
    if (isEnded(held.request.status) && held.presses.length === 0) return
    const { nextAt } = held.request
    if (nextAt !== null && nextAt > house.clock.now() && held.presses.length === 0) return
  }
}

async function step(house: House, held: Held): Promise<void> {
  const { status, kind, nextAt } = held.request
  if (!isEnded(status) && held.starts > mostStarts) return endBroken(house, held)
  if (status === 'awaiting' && ((await expire(house, held)) || (await endMoot(house, held)))) return
  if (held.presses.length > 0) return review(house, held)
  if (status === 'awaiting' && (await nameStandIns(house, held))) return
  if (nextAt !== null && nextAt > house.clock.now()) return
  if (status === 'received' && (await named(house, held))) return
  if (status === 'received') return kind === 'query' ? answer(house, held) : submit(house, held)
  if (status === 'awaiting' && held.request.requirement !== 'notice') return nudge(house, held)
  if (status === 'awaiting') return (await isTooSoon(house, held)) ? undefined : fallDue(house, held)
  if (status === 'running') return perform(house, held)
}

/** Gives the requester the one name we know them by; false where they have it already. */
async function named(house: House, held: Held): Promise<boolean> {
  const { request } = held
  const actor = await house.people.known(request.actor)
  if (isSame(actor, request.actor)) return false
  await held.move({ ...request, actor, cameAs: request.actor }, [])
  return true
}

/** False when something came in meanwhile: it is still ours and has to go on. */
async function putDown(house: House, held: Held, show: Showing): Promise<boolean> {
  const shown = await show.settled()
  if (shown.unpostable !== undefined && held.request.status === 'awaiting') {
    await end(house, held, 'refused', { says: shown.unpostable, privately: true })
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
  const wait = at === null ? Number.POSITIVE_INFINITY : Math.max(0, at - house.clock.now())
  // Longer waits are the sweep's; it would find this one too, only some seconds late.
  if (wait < 60_000) await house.queue.wake(held.request, `${held.version}-${at}`, wait).catch(() => undefined)
  return true
}

/** A fault of ours. It is said, never hidden, and never leaves an endpoint locked. */
async function broke(house: House, held: Held, show: Showing): Promise<void> {
  try {
    if (!isEnded(held.request.status)) await endBroken(house, held)
    show.soon()
    // Whoever came for it meanwhile finds it when the lease has lapsed.
    if (!(await putDown(house, held, show))) held.abandon()
  } catch (error) {
    // The lease lapses and the sweep takes it up again; the count of starts ends it if it keeps breaking.
    house.log.error({ request: held.request.id, err: error }, 'a broken request could not be ended')
    held.abandon()
  }
}

/** Once something was called nobody can say how it stands; before that, nothing was done. */
async function endBroken(house: House, held: Held): Promise<void> {
  const { request } = held
  const offers = undoneBack(request) && request.endpoint ? offerTo('start', { house, ...request.endpoint }) : {}
  return end(house, held, isCalled(request) ? 'attention' : 'failed', { says: sentences.broke, ...offers })
}

function isCalled({ progress = [] }: Request): boolean {
  return progress.some(({ sends }) => sends.length > 0)
}

/** The next step that puts an endpoint back where it was, once a call was made; without it the endpoint may stay down. */
function undoneBack(request: Request): Step | undefined {
  const { status, plan = [], progress = [] } = request
  if (status !== 'running' || !isCalled(request)) return undefined
  return plan.find(({ always }, index) => always === true && progress[index]?.done !== true)
}
