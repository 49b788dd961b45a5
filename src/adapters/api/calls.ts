import { setTimeout as wait } from 'node:timers/promises'
import { keyOf, onceIn, startsAtOnce } from '../../core/model/records.ts'
import type { Request } from '../../core/model/request.ts'
import { mostAttempts } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import { acceptFromProgram, isVisibleTo, type ProgramCaller } from '../../core/requests/accept-program.ts'
import type { IntakeContext } from '../../core/requests/gateway.ts'
import { ruleRequestId } from '../../core/requests/receive.ts'
import { acceptedId, noRequest, Refusal } from './problem.ts'
import { answersIn, type RequestView, requestView } from './views.ts'

/** An HTTP status with the view of a request, an answer or a problem. */
export interface ApiReply {
  readonly status: number
  readonly body: object
}

/** A program's proposal. `key`: 1 to 100 visible ASCII characters. */
export interface ProgramProposal {
  readonly line: string
  readonly reason?: string | undefined
  readonly key: string | readonly string[] | undefined
  /** How long to wait for the request to end before answering, s. */
  readonly wait?: number | undefined
  /** Whether to answer as soon as there is a link to the question. */
  readonly asked?: boolean
}

/** Makes the calls that programs may use, over any protocol. Each throws a Refusal to answer with a problem. */
export function createCalls(context: FollowContext) {
  const { commands, clock } = context
  /** Returns the last state of a request within `ms`, or its id alone if it cannot be read yet. */
  async function follow(caller: ProgramCaller, id: string, ms: number, asked = false): Promise<ApiReply> {
    let view = null
    for await (const state of states(caller, id, context, ms, asked)) view = state
    return { status: view?.open === false ? 200 : 202, body: view ?? { id, open: true } }
  }

  return {
    async propose(caller: ProgramCaller, { line, reason, key, wait = 0, asked }: ProgramProposal): Promise<ApiReply> {
      if (key === undefined) throw new Refusal({ status: 400, type: 'no-key', says: say('program.keyMissing') })
      if (typeof key !== 'string' || !/^[!-~]{1,100}$/.test(key))
        throw new Refusal({ status: 400, type: 'bad-key', says: say('program.badKey') })
      const result = await acceptFromProgram({ commands, clock }, caller, { line, reason, key, wants: 'operation' })
      const { status, body } = await follow(caller, acceptedId(result), wait * 1_000, asked)
      return { status, body: result.kind === 'accepted' && result.again ? { ...body, again: true } : body }
    },

    async query(caller: ProgramCaller, line: string): Promise<ApiReply> {
      const key = `${clock.now()} ${crypto.randomUUID()}`
      const taken = await acceptFromProgram({ commands, clock }, caller, { line, key, wants: 'query' })
      const ms = (await caller.gateway.isServed?.()) === false ? 0 : 20_000
      if (taken.kind !== 'answered') return follow(caller, acceptedId(taken), ms)
      return { status: 200, body: { answer: answersIn(taken.answer) } }
    },

    async request(caller: ProgramCaller, id: string): Promise<ApiReply> {
      const view = await look(caller, id, context)
      if (view === null) throw noRequest(id)
      return { status: 200, body: view }
    },
  }
}

/** How often an open request is read, ms: soon after a change, then less and less often. */
const looks = { first: 25, least: 500 } as const

export interface FollowContext extends Pick<IntakeContext, 'commands' | 'clock'> {
  readonly linkTo: (project: string, request: string) => Promise<string | null>
  /** Whether nobody is waiting for the answer any more. */
  readonly isGone: () => boolean
}

/**
 * Yields the states of a request until it ends (or, with `asked`, until there is a link to the question), nobody is
 * waiting any more, or `ms` have passed. The first comes at once; it is null if there is no such request.
 */
export async function* states(caller: ProgramCaller, id: string, context: FollowContext, ms: number, asked = false) {
  const { clock, isGone } = context
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

/** Returns the current view of a request, or null if the caller can see no request with this id. */
async function look(caller: ProgramCaller, id: string, context: FollowContext): Promise<RequestView | null> {
  const request = await load(caller, id)
  return request === null ? null : viewOf(request, caller, context)
}

async function load(caller: ProgramCaller, id: string): Promise<Request | null> {
  if (!/^[\w-]{22}$/.test(id)) return null
  const request = await caller.gateway.store.load(id)
  return request !== null && (await isVisibleTo(request, caller)) ? request : null
}

async function viewOf(request: Request, caller: ProgramCaller, context: FollowContext): Promise<RequestView> {
  const own = await ownViewOf(request, caller, context)
  if (request.status !== 'succeeded' || !startsAtOnce(request.change)) return own
  const now = context.clock.now()
  const { ended: _, ...run } = own
  const start = await startOf(request, caller, now)
  if (start === 'coming') return { ...run, status: 'running', open: true }
  if (start === 'never') {
    const ending = { at: request.ending?.at ?? now, says: say('request.unchanged') }
    return ownViewOf({ ...request, status: 'cancelled', ending }, caller, context)
  }
  if (start === null) return own
  const { id: __, line: ___, reason: ____, person: _____, ...view } = await ownViewOf(start, caller, context)
  return { ...run, ...view, received: own.received }
}

/** How long a `start … for` may take to send its start, ms, because rules are checked every minute. */
const handedIn = 120_000

/**
 * Returns the last start by a `start … for`, which shows whether the endpoint serves; null if there was none. `never`:
 * it was taken back, or its time was over, before it was handed in.
 */
async function startOf(request: Request, { gateway }: ProgramCaller, now: number) {
  const { id, project, endpoint, ending } = request
  const once = onceIn(request.change)
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

async function ownViewOf(request: Request, caller: ProgramCaller, context: FollowContext): Promise<RequestView> {
  const { gateway } = caller
  const { commands, linkTo } = context
  const other = request.ending?.about
  const about = other === undefined ? null : await look(caller, other, context)
  const hasCard = request.kind === 'operation' && request.plan !== undefined
  return requestView(commands, request, {
    link: hasCard ? await linkTo(gateway.project, request.id) : null,
    ...(about !== null && { about: { id: about.id, status: about.status, ...(about.link && { link: about.link }) } }),
    unserved: request.status === 'received' && (await gateway.isServed?.()) === false,
    zone: (onceIn(request.change) && (await gateway.zoneOf(request.actor))) ?? 'UTC',
  })
}
