import { hash } from 'node:crypto'
import { labelsOf, type Press, type Request } from '../model/request.ts'
import type { Actor } from '../model/roles.ts'
import type { Queue, Received, Services, Store } from '../ports/services.ts'
import { traced } from '../ports/traces.ts'

/** The parts of store and queue that receiving a line, a press or a form uses. */
export interface Intake {
  readonly store: Pick<
    Store,
    'receive' | 'press' | 'names' | 'load' | 'holderOf' | 'settingsOf' | 'records' | 'open' | 'past' | 'postsOf'
  >
  readonly queue: Queue
}

/** The same delivery is the same request. */
export function requestIdOf(delivery: string): string {
  return hash('sha256', delivery, 'base64url').slice(0, 22)
}

/** Stores a request that has just come in, and queues a job for it. */
export function receive(intake: Intake, request: Request, replyUrl?: string): Promise<Received> {
  const attributes = { ...labelsOf(request), via: request.via ?? 'typed' }
  return traced(`command ${attributes.verb}`, { attributes }, async (note, trace) => {
    const stored = intake.store.receive(trace === undefined ? request : { ...request, trace }, replyUrl)
    const received = await wakeFor(intake, request, '0', request.actor, stored)
    note({ received: received.kind })
    return received
  })
}

/** The id of a request that a rule hands in: the same occurrence and attempt are the same request, whoever hands it in. */
export function ruleRequestId(
  { project }: Pick<Services, 'project'>,
  occurrence: string,
  attempt: number | string,
): string {
  return requestIdOf(`${project} ${occurrence} ${attempt}`)
}

/** Hands in a rule's line as `receive` does a person's, in the operations channel. */
export function receiveFromRule(
  services: Pick<Services, 'project' | 'store' | 'queue'>,
  channel: string,
  request: Omit<Request, 'project' | 'place' | 'status' | 'notes' | 'nextAt'>,
): Promise<Received> {
  const { project } = services
  const place = { channel, chosen: true }
  return receive(services, { ...request, project, place, status: 'received', notes: [], nextAt: request.receivedAt })
}

/** Stores somebody's answer to a waiting request, and queues a job for that request. */
export function receivePress(intake: Intake, press: Press, replyUrl?: string): Promise<Received> {
  const { id, request, actor } = press
  return traced('answer', { attributes: { request } }, async (note, trace) => {
    const stored = intake.store.press(trace === undefined ? press : { ...press, trace }, replyUrl)
    const received = await wakeFor(intake, { id: request, kind: 'operation' }, id, actor, stored)
    note({ received: received.kind })
    return received
  })
}

/** People whose last line was refused, by intake. */
const refusedOf = new WeakMap<Intake, Set<string>>()

/**
 * The job leaves in one write to the socket with what is stored, so it costs no round trip. The sweep makes up for a
 * lost job, so only the store's answer counts. After a refusal the jobs of that person wait for the store's answer: a
 * flood of lines must not leave a job for each.
 */
async function wakeFor(
  intake: Intake,
  request: Pick<Request, 'id' | 'kind'>,
  attempt: string,
  { team, user }: Actor,
  stored: Promise<Received>,
): Promise<Received> {
  const refused = refusedOf.get(intake) ?? new Set()
  refusedOf.set(intake, refused)
  const person = `${team}/${user}`
  if (refused.has(person) && (await stored).kind === 'refused') return stored
  const woken = intake.queue.wake(request, attempt)
  const [received] = await Promise.all([stored, woken.catch(() => undefined)])
  if (received.kind === 'refused') refused.add(person)
  else refused.delete(person)
  return received
}
