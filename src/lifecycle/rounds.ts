import { call } from '../core/commands/call.ts'
import type { Check } from '../core/model/query-answer.ts'
import { say, type Words } from '../core/model/words.ts'
import { type Outcome, type Platform, withRemedy } from '../core/ports/platform.ts'
import type { Clock, Services } from '../core/ports/services.ts'

/** The most requests per sweep, so that they do not all start at once after a long outage. */
const most = 100
const atOnce = 8

/** Runs late requests without the queue, every few seconds, so that a lost job costs only seconds. */
export async function sweep({ store, clock, left }: Services, takeUp: (id: string) => Promise<void>): Promise<void> {
  const due = [...(await store.due(clock.now(), most, left.resting()))]
  async function worker(): Promise<void> {
    for (let id = due.shift(); id !== undefined; id = due.shift()) await takeUp(id)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** How often to look at the age of the list of endpoints for type-ahead and the Home, and how old it may be, ms. */
export const refreshEvery = 5_000
const oldest = 55_000

/** Lists the endpoints before anyone needs the names, if it is our `turn`. No decision depends on this list. */
export async function refresh(services: Services, turn: () => Promise<boolean>): Promise<void> {
  const listedAt = (await services.store.names())?.at ?? 0
  if (services.clock.now() - listedAt < oldest || !(await turn())) return
  const listed = await services.platform.list()
  if (listed.kind === 'answered') await services.store.rememberNames(listed.answer, services.clock.now())
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
export function keyWatch(platform: Platform, clock: Pick<Clock, 'monotonic'>): () => Promise<Check> {
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
