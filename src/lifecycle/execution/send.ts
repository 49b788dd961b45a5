import type { Settings } from '../../core/model/endpoint.ts'
import type { Seen, Send, Step } from '../../core/model/plan.ts'
import type { Event } from '../../core/model/request.ts'
import { sentences } from '../../core/model/sentences.ts'
import type { Outcome } from '../../core/ports/platform.ts'
import { LeaseLost, type Moved, type MoveOptions } from '../../core/ports/services.ts'
import { partNeededFor, readEndpoint } from '../../core/requests/read-endpoint.ts'
import { withSealed } from '../../core/requests/sealed-values.ts'
import { checkEffect } from './await-effect.ts'
import { stepFailed } from './compensate.ts'
import { currentStep, saveProgress, type Work, withProgress } from './work.ts'

/** Room between the end of a call and the end of the lease, ms: enough to write down how it went. */
const margin = 2_000

/** What else the write does, or depends on, that journals the first call of a request. */
export interface Opening extends Pick<MoveOptions, 'lock' | 'records'> {
  readonly event?: Event
}

/**
 * Journals the call, makes it, journals how it went. The first write is on disk before the call leaves; nothing is sent
 * when somebody else has the endpoint that it was to take, or what it was planned on has changed.
 */
export async function send(work: Work, before: Seen, { event: begun, ...options }: Opening = {}): Promise<Moved> {
  const { services, held, request, at: index, step, progress } = work
  needs(work, margin)
  const call = await withSealed(services, held, step.call)
  if (call === null) {
    await stepFailed(work, 'cancelled', { says: sentences.sealGone })
    return { kind: 'moved' }
  }
  // From here on nobody knows the settings, until the platform answers with them.
  if (step.goal === 'answered') await services.store.forgetSettings(work.id)
  const at = services.clock.now()
  const sends: readonly Send[] = [...progress.sends, { at, before }]
  const sent = { at, what: 'sent', detail: step.says }
  const journalled = withProgress(request, index, { sends, looks: [] })
  const moved = await held.move(journalled, begun === undefined ? [sent] : [begun, sent], options)
  if (moved.kind !== 'moved') return moved
  // The write may have taken long, and a process may have been stopped meanwhile: a call must not outlive the lease.
  needs(work, 0)

  const outcome = contradicted(step, await services.platform.send(call))
  const says = outcome.kind === 'answered' ? messageOf(outcome.answer) : outcome.says
  const pause = outcome.kind === 'unreached' ? outcome.pause : undefined
  const answered = {
    kind: outcome.kind,
    at: services.clock.now(),
    ...(says !== undefined && { says }),
    ...(outcome.kind === 'refused' && outcome.remedy !== undefined && { remedy: outcome.remedy }),
    ...(pause !== undefined && { pause }),
  }
  if (outcome.kind === 'answered' && isSettings(outcome.answer)) await services.store.rememberSettings(outcome.answer)
  const asked = outcome.kind === 'refused' ? /\b(?:num_replicas|replica_count)\b/.exec(outcome.says)?.[0] : undefined
  if (asked !== undefined) await services.store.hint(asked)
  const known = { sends: sends.with(-1, { at, before, outcome: answered }), looks: [] }
  const event = { at: answered.at, what: outcome.kind, ...(says !== undefined && { detail: says }) }
  // The first look goes out beside the write: it waits for nothing that is written.
  const look = outcome.kind === 'answered' ? readEndpoint(services, work.id, partNeededFor(step)) : undefined
  await saveProgress(work, known, [event])
  if (look !== undefined) await checkEffect(currentStep(services, held), await look)
  return { kind: 'moved' }
}

/** Throws LeaseLost unless the lease lasts for a whole call and `more` ms. */
function needs({ services, held }: Work, more: number): void {
  if (held.until() - services.clock.monotonic() >= services.platform.timeoutMs + more) return
  throw new LeaseLost('Too little of the lease is left for a call; whoever holds it next makes it.')
}

/** An answer that says the opposite of what was asked proves nothing. */
function contradicted(step: Step, outcome: Outcome<unknown>): Outcome<unknown> {
  if (outcome.kind !== 'answered') return outcome
  const active: unknown = fieldOf(outcome.answer, 'active')
  const opposite = (step.goal === 'stopped' && active === true) || (step.goal === 'serving' && active === false)
  return opposite ? { kind: 'unknown', says: messageOf(outcome.answer) ?? '' } : outcome
}

/** A patch answers with the settings and has no message. */
function messageOf(answer: unknown): string | undefined {
  const message = fieldOf(answer, 'message')
  return typeof message === 'string' ? message : undefined
}

function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
}

/** Only the answer to a patch carries settings; values of variables were dropped when it was read. */
function isSettings(answer: unknown): answer is Settings {
  return fieldOf(answer, 'env_keys') !== undefined
}
