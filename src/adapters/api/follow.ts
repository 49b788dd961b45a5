import { setTimeout as wait } from 'node:timers/promises'
import type { Commands } from '../../core/commands/commands.ts'
import { keyOf, startsAtOnce } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { mostAttempts } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import type { Clock } from '../../core/ports/services.ts'
import { isVisibleTo, type ProgramCaller } from '../../core/requests/accept-program.ts'
import { ruleRequestId } from '../../core/requests/receive.ts'
import { onceIn, type RequestView, requestView } from './views.ts'

/** How often an open request is read, ms: soon after a change, then less and less often. */
const looks = { first: 25, least: 500 } as const

/** Returns the current view of a request, or null if the caller can see no request with this id. */
export async function look(caller: ProgramCaller, id: string, context: ViewContext): Promise<RequestView | null> {
  const request = await load(caller, id)
  return request === null ? null : viewOf(request, caller, context)
}

interface ViewContext {
  readonly commands: Commands
  readonly linkTo: (project: string, request: string) => Promise<string | null>
  readonly clock: Clock
}

export interface FollowContext extends ViewContext {
  /** Whether nobody is waiting for the answer any more. */
  readonly isGone: () => boolean
}

/**
 * Yields the states of a request until it ends (or, with `asked`, until there is a link to the question), nobody is
 * waiting any more, or `ms` have passed. The first comes at once; it is null if there is no such request.
 */
export async function* states(
  caller: ProgramCaller,
  id: string,
  { isGone, ...context }: FollowContext,
  { ms, asked = false }: { readonly ms: number; readonly asked?: boolean },
): AsyncGenerator<RequestView | null> {
  const { clock } = context
  const end = clock.monotonic() + ms
  let [last, told] = ['', '']
  let pause: number = looks.first
  for (;;) {
    const request = await load(caller, id)
    if (request === null) return void (yield null)
    const view = await viewOf(request, caller, context)
    const text = JSON.stringify(view)
    if (text !== told) yield view
    told = text
    // Changes that the view does not show also keep the pause short: the link comes a moment after the question.
    const state = JSON.stringify([text, request.votes, request.progress])
    pause = state === last ? Math.min(2 * pause, looks.least) : looks.first
    last = state
    const isDone = !view.open || (asked && view.status === 'awaiting' && view.link !== undefined)
    const left = end - clock.monotonic()
    if (isDone || left <= 0 || isGone()) return
    await wait(Math.min(pause, left))
  }
}

async function load(caller: ProgramCaller, id: string): Promise<Request | null> {
  if (!/^[\w-]{22}$/.test(id)) return null
  const request = await caller.gateway.store.load(id)
  return request !== null && (await isVisibleTo(request, caller)) ? request : null
}

async function viewOf(request: Request, caller: ProgramCaller, context: ViewContext): Promise<RequestView> {
  const own = await ownViewOf(request, caller, context)
  if (request.status !== 'succeeded' || !startsAtOnce(request.change)) return own
  const now = context.clock.now()
  const start = await startOf(request, caller, now)
  if (start === 'coming') return { ...own, status: 'running', open: true }
  if (start === 'never') {
    const ending = { at: request.ending?.at ?? now, says: say('request.unchanged') }
    return ownViewOf({ ...request, status: 'cancelled', ending }, caller, context)
  }
  if (start === null) return own
  const { id: _, line: __, reason: ___, person: ____, ...view } = await ownViewOf(start, caller, context)
  return { ...own, ...view, received: own.received }
}

/** How long a `start … for` may take to send its start, ms, because rules are checked every minute. */
const handedIn = 120_000

/**
 * Returns the last start by a `start … for`, which shows whether the endpoint serves; null if there was none. `never`:
 * it was taken back, or its time was over, before it was handed in.
 */
async function startOf(
  request: Request,
  { gateway }: ProgramCaller,
  now: number,
): Promise<Request | 'coming' | 'never' | null> {
  const { id, project, endpoint, ending } = request
  const once = onceIn(request)
  if (once === undefined) return null
  const { at, until = at } = once
  const handed = (occurrence: string, attempt = 1) =>
    gateway.store.load(ruleRequestId({ project }, `${endpoint?.id}.${id}.${occurrence}`, attempt))
  // Read before the starts, so that a start handed in meanwhile is found.
  const isInForce = (await gateway.store.records()).has(keyOf(once)) && now < until
  for (let attempt = mostAttempts; attempt > 0; attempt -= 1) {
    const start = await handed(`${at}.up`, attempt)
    if (start !== null) return start
  }
  // A run that somebody else had started has at least its stop.
  if (!isInForce) return (await handed(`${until}.down`)) === null ? 'never' : null
  if (now - (ending?.at ?? 0) < handedIn) return 'coming'
  // Later, only a running endpoint shows that there was nothing to start.
  const listed = (await gateway.store.names())?.endpoints.find((one) => one.id === endpoint?.id)
  return listed?.active === true ? null : 'coming'
}

async function ownViewOf(request: Request, caller: ProgramCaller, context: ViewContext): Promise<RequestView> {
  const { gateway } = caller
  const { commands, linkTo } = context
  const other = request.ending?.about
  const about = other === undefined ? null : await look(caller, other, context)
  const hasCard = request.kind === 'operation' && request.plan !== undefined
  return requestView(commands, request, {
    link: hasCard ? await linkTo(gateway.project, request.id) : null,
    ...(about !== null && { about: { id: about.id, status: about.status, ...(about.link && { link: about.link }) } }),
    zone: (onceIn(request) && (await gateway.zoneOf(request.actor))) ?? 'UTC',
  })
}
