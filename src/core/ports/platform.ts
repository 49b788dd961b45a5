import { type Call, call } from '../commands/call.ts'
import type { Endpoint, InstanceType, Settings } from '../model/endpoint.ts'
import type { Step } from '../model/plan.ts'
import type { Check } from '../model/query-answer.ts'
import { say, type Words } from '../model/words.ts'

/**
 * How a call to the platform ended, grouped by whether it was applied. `says` is one sentence: a string is the
 * platform's own text, from any body shape and unescaped; a Sentence is ours, if the platform gave none. `remedy` is
 * ours, if the platform does not say what to do.
 */
export type Outcome<Answer> =
  /** 2xx and readable. */
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** A definite no (400, 401, 403, 404, 409, 410, 422 and other 4xx except 408, 425, 429): not applied. */
  | { readonly kind: 'refused'; readonly status: number; readonly says: Words; readonly remedy?: Words }
  /** 500: the platform tried and reports failure. A read shows whether it was applied. */
  | { readonly kind: 'failed'; readonly status: number; readonly says: Words }
  /** Timed out, dropped, unreadable, 408, 425 or another 5xx: may or may not have been applied. */
  | { readonly kind: 'unknown'; readonly status?: number; readonly says: Words }
  /** Not accepted, so not applied: no connection, 429, or 503 with a time to retry. `pause`: how long to wait, ms. */
  | { readonly kind: 'unreached'; readonly says: Words; readonly pause?: number }

/** The platform's API. Never throws for the platform's errors; throws for an id that must not become a path. */
export interface Platform {
  send<Answer>(call: Call<Answer>): Promise<Outcome<Answer>>
  /** Lists all endpoints of all pages. If a page fails, the whole list fails, because a partial list is misleading. */
  list(): Promise<Outcome<readonly Endpoint[]>>
  /** Lists all instance types of all pages; refused if the platform has no such list, or not for this key. */
  instanceTypes(): Promise<Outcome<readonly InstanceType[]>>
  /** The time limit of one call, ms. */
  readonly timeoutMs: number
}

/** Returns the platform's message in quotes, followed by the remedy. */
export function withRemedy(outcome: Exclude<Outcome<unknown>, { kind: 'answered' }>): Words {
  const { says } = outcome
  if (outcome.kind !== 'refused' || outcome.remedy === undefined) return quotedMessage(says)
  return [quotedMessage(says), outcome.remedy]
}

/** Quotes a platform's message, so that it doesn't pass for a sentence of ours. */
export function quotedMessage(says: Words): Words {
  return typeof says !== 'string' || says === '' ? says : say('platform.quote', { quote: says })
}

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

/** Checks whether the platform accepts our key. `isAnswer` is false if the platform did not say. */
export async function keyCheck(platform: Platform): Promise<[check: Check, isAnswer: boolean]> {
  const name = say('check.key')
  const outcome = await platform.send(call('get', '/me'))
  if (outcome.kind !== 'answered')
    return [{ name, well: false, says: whyNoContext(outcome) }, outcome.kind === 'refused']
  return [{ name, well: true, says: say('plan.keyFor', { project: outcome.answer.project }) }, true]
}

/** Says why the platform didn't describe our key. The platform has this path, so a 404 is from somewhere else. */
export function whyNoContext(outcome: Exclude<Outcome<unknown>, { kind: 'answered' }>): Words {
  if (outcome.kind === 'refused') return outcome.status === 404 ? say('platform.noApi') : withRemedy(outcome)
  const { says } = outcome
  // The platform's own words alone, such as “Internal error”, say neither whose they are nor what to do.
  if (outcome.kind === 'unreached' || outcome.status === undefined || typeof says !== 'string') return says
  return say('platform.answered', { status: `${outcome.status}`, why: says.replace(/[.!?…]$/, '') })
}

/** How long the platform's last answer counts, and how often to check a valid and an invalid key, ms. */
const [counts, often, oftener] = [600_000, 60_000, 10_000] as const

/** A `keyCheck` that can be called often. The platform's last answer counts for ten minutes, a refusal too. */
export function keyWatch(platform: Platform, clock: { monotonic(): number }): () => Promise<Check> {
  let [tried, answered]: { readonly at: number; readonly check: Check }[] = []
  let trying: Promise<Check> | undefined

  async function attempt(at: number): Promise<Check> {
    const [check, isAnswer] = await keyCheck(platform)
    tried = { at, check }
    if (isAnswer) answered = tried
    trying = undefined
    return check
  }

  return async () => {
    const now = clock.monotonic()
    const isDue = tried === undefined || now - tried.at >= (tried.check.well ? often : oftener)
    if (isDue) trying ??= attempt(now)
    if (answered !== undefined && now - answered.at < counts) return answered.check
    return trying ?? tried?.check ?? attempt(now)
  }
}
