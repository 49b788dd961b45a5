import type { IncomingMessage, ServerResponse } from 'node:http'
import { atConsole, patch, start, stop } from './changes.ts'
import { edited } from './edits.ts'
import type { Fault, Faults } from './faults.ts'
import { authorize } from './keys.ts'
import type { Later } from './later.ts'
import type { Ask } from './operations.ts'
import { operations } from './operations.ts'
import type { Reply } from './refusal.ts'
import { Refusal } from './refusal.ts'
import type { Route } from './routes.ts'
import { findRoute } from './routes.ts'
import type { CallMoment, CallRecord, SandboxKey } from './types.ts'
import { bodyOf, send, sendHalf } from './wire.ts'
import type { Item, World } from './world.ts'

export interface Api extends Pick<Ask, 'world' | 'scaleField' | 'urlOf'> {
  readonly keys: ReadonlyMap<string, SandboxKey>
  readonly faults: Faults
  readonly later: Later
  readonly calls: CallRecord[]
  readonly listeners: Set<(moment: CallMoment) => void | Promise<void>>
}

/** Lives one call from its first byte to its answer, faults included. `path` is what follows the base path. */
export async function answerCall(api: Api, request: IncomingMessage, response: ServerResponse, path: string) {
  const [plain = '', query = ''] = path.split('?', 2)
  const method = request.method ?? ''
  const found = findRoute(method, plain)
  const record = takeDown(api, request, plain, found && 'route' in found ? found.route : null)
  const raw = await bodyOf(request)
  if (found && 'route' in found) {
    const act = () => perform(api, request, found.route, query, raw)
    return live(api, response, found.route, record, act)
  }
  record.status = found ? 405 : 404
  if (found) response.setHeader('allow', found.allow)
  send(response, record.status, { detail: found ? 'Method Not Allowed' : 'Not Found' })
}

function takeDown(api: Api, request: IncomingMessage, path: string, route: Route | null): CallRecord {
  const key = authorize(api.keys, request.headers.authorization)
  const record: CallRecord = {
    at: api.world.clock.now(),
    method: request.method ?? '',
    path,
    operation: route?.operation ?? null,
    endpointId: route?.endpointId ?? null,
    key: typeof key === 'string' ? null : key.id,
    status: null,
  }
  api.calls.push(record)
  return record
}

function perform(api: Api, request: IncomingMessage, route: Route, query: string, raw: string | null): Reply {
  const key = authorize(api.keys, request.headers.authorization)
  if (typeof key === 'string') return new Refusal(401, key)
  if (raw === null) return new Refusal(413, 'Request body is too large')
  const { world, scaleField, urlOf } = api
  const endpointId = route.endpointId ?? ''
  try {
    const body = parsed(raw, request.headers['content-type'])
    const ask = { world, scaleField, urlOf, key, endpointId, query: new URLSearchParams(query), body }
    return { status: 200, body: operations[route.operation](ask) }
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown
    throw thrown
  }
}

// A body that is not declared as JSON stays a text, which no operation accepts.
function parsed(raw: string, type = ''): unknown {
  if (raw === '') return undefined
  if (!type.startsWith('application/json')) return raw
  try {
    return JSON.parse(raw)
  } catch {
    throw new Refusal(422, [{ loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid' }])
  }
}

async function live(api: Api, response: ServerResponse, route: Route, record: CallRecord, act: () => Reply) {
  const { later, world } = api
  later.catchUp()
  const item = world.items.get(route.endpointId ?? '')
  const faults = api.faults.strike(route.operation, route.endpointId)
  for (const fault of faults) {
    if (fault.kind === 'delay') await later.pause(fault.ms)
    if (fault.kind === 'foreign' && fault.when === 'before') interfere(world, item, fault.change)
  }
  await tell(api, { when: 'before acting', ...route })
  const early = faults.find(isEarly)
  if (early) return endEarly(api, response, record, early, act)

  const before = item && { ...item, stale: null }
  const reply = act()
  for (const fault of faults) {
    if (fault.kind === 'stale' && item && before) item.stale = { until: world.clock.now() + fault.ms, shown: before }
    if (fault.kind === 'foreign' && fault.when === 'after') interfere(world, item, fault.change)
  }
  await tell(api, { when: 'before answering', ...route })
  for (const fault of faults) if (fault.kind === 'delay-after') await later.pause(fault.ms)
  endLate(response, record, faults, reply)
}

async function tell(api: Api, moment: CallMoment): Promise<void> {
  for (const listener of api.listeners) await listener(moment)
}

type Early = Extract<Fault, { kind: 'answer' | 'hang' | 'drop-before' | 'late' }>
type Late = Extract<Fault, { kind: 'answer-after' | 'hang-after' | 'drop-after' | 'half' }>

function isEarly(fault: Fault): fault is Early {
  return ['answer', 'hang', 'drop-before', 'late'].includes(fault.kind)
}

function isLate(fault: Fault): fault is Late {
  return ['answer-after', 'hang-after', 'drop-after', 'half'].includes(fault.kind)
}

function endEarly(api: Api, response: ServerResponse, record: CallRecord, fault: Early, act: () => Reply): void {
  if (fault.kind === 'late') api.later.after(fault.ms, act)
  if (fault.kind === 'answer') answerWith(response, record, fault)
  else if (fault.kind !== 'hang') response.destroy()
}

function endLate(response: ServerResponse, record: CallRecord, faults: readonly Fault[], reply: Reply): void {
  const body = reply.status === 200 ? edited(reply.body, faults) : reply.body
  const end = faults.find(isLate)
  if (end?.kind === 'drop-after') response.destroy()
  else if (end?.kind === 'half') sendHalf(response, reply.status, body)
  else if (end?.kind !== 'hang-after') answerWith(response, record, end ?? { status: reply.status, body })
}

function answerWith(response: ServerResponse, record: CallRecord, answer: Reply & { readonly type?: string }): void {
  record.status = answer.status
  send(response, answer.status, answer.body, answer.type)
}

function interfere(world: World, item: Item | undefined, change: 'start' | 'stop' | 'patch'): void {
  if (!item) return
  if (change === 'patch') patch(world, item, {}, atConsole)
  else (change === 'start' ? start : stop)(world, item, atConsole)
}
