import type { Settings } from '../../core/model/endpoint.ts'
import type { Step } from '../../core/model/plan.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { Outcome } from '../../core/ports/platform.ts'

/** Turns an answer whose `is_active` or settings contradict the call into an unknown outcome. */
export function contradicted({ goal, call }: Step, outcome: Outcome<unknown>): Outcome<unknown> {
  if (outcome.kind !== 'answered') return outcome
  const { answer } = outcome
  const active: unknown = fieldOf(answer, 'active')
  const opposite = (goal === 'stopped' && active === true) || (goal === 'serving' && active === false)
  const ignored =
    goal === 'answered' && Object.entries(call.body ?? {}).some(([key, value]) => isOther(value, fieldOf(answer, key)))
  if (ignored) return { kind: 'unknown', says: say('step.otherSettings') }
  return opposite ? { kind: 'unknown', says: platformMessage(answer) ?? '' } : outcome
}

/**
 * Whether an answer has another setting than was sent. The platform may answer a removed one with its default, and it
 * doesn't show variables. A setting that is left out or unreadable is null.
 */
function isOther(sent: unknown, answered: unknown): boolean {
  const plain = (value: unknown) => (typeof value === 'string' ? value.trim() : value)
  return sent !== null && (answered ?? null) !== null && !Array.isArray(sent) && plain(sent) !== plain(answered)
}

/** A patch's answer contains the settings and no message. */
export function platformMessage(answer: unknown): string | undefined {
  const message = fieldOf(answer, 'message')
  return typeof message === 'string' ? message : undefined
}

function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
}

/** Only a patch's answer contains settings. The values of variables were dropped when it was read. */
export function isSettings(answer: unknown): answer is Settings {
  return fieldOf(answer, 'env_keys') !== undefined
}

/** Finds the field of a scale's body that the platform's error names. */
export function scaleField(says: Words): string | undefined {
  return typeof says === 'string' ? /\b(?:num_replicas|replica_count)\b/.exec(says)?.[0] : undefined
}

/** Whether an answer shows every setting that was sent, or known before. One that it leaves out would count as removed. */
export function showsAll({ call }: Step, answer: Settings, before: Settings | undefined): boolean {
  const known = new Map<string, unknown>([...Object.entries(before ?? {}), ...Object.entries(call.body ?? {})])
  const isShown = (key: string, value: unknown) => value !== null || Array.isArray(known.get(key))
  return Object.entries(answer).every(([key, value]) => isShown(key, value) || (known.get(key) ?? null) === null)
}
