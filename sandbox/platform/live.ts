import type { ServerResponse } from 'node:http'
import { edited } from './edits.ts'
import { type Early, type Fault, type Faults, isEarly, isLate } from './faults.ts'
import type { Later } from './later.ts'
import type { Reply } from './refusal.ts'
import type { Route } from './routes.ts'
import type { CallMoment, CallRecord } from './types.ts'
import { send, sendHalf } from './wire.ts'
import type { World } from './world.ts'

/** Everything that affects a call besides its own content. */
export interface Circumstances {
  readonly world: World
  readonly faults: Faults
  readonly later: Later
  readonly listeners: Set<(moment: CallMoment) => void | Promise<void>>
}

/** Lets a call act and answer, or do what the planned faults say, and notifies the listeners on the way. */
export async function live(
  around: Circumstances,
  response: ServerResponse,
  route: Route,
  record: CallRecord,
  act: () => Reply,
): Promise<void> {
  const { later, world } = around
  later.catchUp()
  const item = world.items.get(route.endpointId ?? '')
  const faults = around.faults.strike(route.operation)
  for (const fault of faults) if (fault.kind === 'delay') await later.pause(fault.ms)
  await tell(around, { when: 'before acting', ...route })
  const early = faults.find(isEarly)
  if (early) return endEarly(later, response, record, early, act)

  const before = item && { ...item, stale: null }
  const reply = act()
  for (const fault of faults) {
    if (fault.kind === 'stale' && item && before) item.stale = { until: world.clock.now() + fault.ms, shown: before }
  }
  await tell(around, { when: 'before answering', ...route })
  for (const fault of faults) if (fault.kind === 'delay-after') await later.pause(fault.ms)
  endLate(response, record, faults, reply)
}

async function tell({ listeners }: Circumstances, moment: CallMoment): Promise<void> {
  for (const listener of listeners) await listener(moment)
}

function endEarly(later: Later, response: ServerResponse, record: CallRecord, fault: Early, act: () => Reply): void {
  if (fault.kind === 'late') later.after(fault.ms, act)
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

interface Answer extends Reply {
  readonly type?: string
  readonly retryAfter?: string
}

function answerWith(response: ServerResponse, record: CallRecord, answer: Answer): void {
  record.status = answer.status
  if (answer.retryAfter !== undefined) response.setHeader('retry-after', answer.retryAfter)
  send(response, answer.status, answer.body, answer.type)
}
