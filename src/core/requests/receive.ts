import { hash } from 'node:crypto'
import { labelsOf, type Press, type Request } from '../model/request.ts'
import type { Actor } from '../model/roles.ts'
import type { Queue, Received, Services, Store } from '../ports/services.ts'
import { traced } from '../ports/traces.ts'

/** The parts of the store and the queue that doors use. */
export interface Intake {
  readonly store: Pick<
    Store,
    'receive' | 'press' | 'names' | 'load' | 'holderOf' | 'settingsOf' | 'records' | 'open' | 'past' | 'postsOf'
  >
  readonly queue: Queue
}

/** Derives a request's id: the same delivery is the same request. */
export function requestIdOf(delivery: string): string {
  return hash('sha256', delivery, 'base64url').slice(0, 22)
}

export function receive(intake: Intake, request: Request, replyUrl?: string): Promise<Received> {
  const attributes = { ...labelsOf(request), via: request.via ?? 'typed' }
  return traced(`command ${attributes.verb}`, { attributes }, async (note, trace) => {
    const stored = intake.store.receive(trace === undefined ? request : { ...request, trace }, replyUrl)
    const received = await wakeFor(intake, request, '0', request.actor, stored)
    note({ received: received.kind })
    return received
  })
}

/** Derives the id of a rule's request: every process derives the same one for an occurrence and an attempt. */
export function ruleRequestId({ project }: Pick<Services, 'project'>, occurrence: string, attempt: number | string) {
  return requestIdOf(`${project} ${occurrence} ${attempt}`)
}

/** Receives a rule's line, as `receive` does a person's, in the operations channel. */
export function receiveFromRule(
  services: Pick<Services, 'project' | 'store' | 'queue'>,
  channel: string,
  request: Omit<Request, 'project' | 'place' | 'status' | 'notes' | 'nextAt'>,
): Promise<Received> {
  const { project } = services
  const place = { channel, chosen: true }
  return receive(services, { ...request, project, place, status: 'received', notes: [], nextAt: request.receivedAt })
}

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
 * Queues the job in the same socket write as the stored request, so it costs no round trip. Only the store's answer
 * counts, because the sweep makes up for a lost job. After a refusal, a person's jobs wait for the store's answer;
 * otherwise a flood of lines would leave a job for each one.
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
