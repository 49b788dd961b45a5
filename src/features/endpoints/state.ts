import type { Context } from '../../core/commands/define.ts'
import { buttonTo } from '../../core/commands/phrases.ts'
import { writeWord } from '../../core/commands/quoting.ts'
import { currentState, type Endpoint, type State, stateOfWord } from '../../core/model/endpoint.ts'
import type { EndpointFacts, Mark, Offer, Price } from '../../core/model/query-answer.ts'
import { type Request, waitsForPeople } from '../../core/model/request.ts'
import { type Announced, failedText, type Hold, isAgainst, type Rules } from '../../core/model/rules.ts'
import { type Sentence, type SentenceValue, say, type Words } from '../../core/model/words.ts'
import type { SentenceId } from '../../words/english.ts'
import type { Pause } from '../safeguards/freeze.ts'
import { comesTooLate, nextChange } from '../schedules/rules/coming.ts'
import { because } from '../schedules/rules/describe.ts'
import { type Decider, desired } from '../schedules/rules/desired-state.ts'

const marks: Readonly<Record<State, Mark>> = {
  running: 'running',
  stopped: 'stopped',
  starting: 'changing',
  stopping: 'changing',
  changing: 'changing',
  failed: 'failed',
  unknown: 'attention',
}

export function markOf(endpoint: Pick<Endpoint, 'active' | 'status'>): Mark {
  return marks[currentState(endpoint)]
}

/** Returns the same for programs; `price` is per hour, which a stopped endpoint does not cost. */
export function factsOf(endpoint: Endpoint, price?: Price): EndpointFacts {
  const { id, name, replicas, active } = endpoint
  const perHour = price !== undefined && active !== false && { perHour: price }
  return { id, name, state: currentState(endpoint), ...(replicas !== undefined && { replicas }), ...perHour }
}

/** What is said about an endpoint beside its state; `cost` is per hour. */
interface Said {
  readonly next?: Sentence | 'none'
  readonly idle?: SentenceValue
  readonly cost?: string | undefined
}

/** "running · stops in 53 min (schedule) · 3 replicas · RTX 4090": the next step precedes what stays the same. */
export function stateOf(endpoint: Endpoint, { next = 'none', idle = 'none', cost = 'none' }: Said = {}): Sentence {
  const { active, status = '', gpu = 'none' } = endpoint
  const state = currentState(endpoint)
  const word = stateOfWord(status)
  const isSaid = active !== true || status === '' || (word !== undefined && word !== 'failed')
  return say('endpoint.state', {
    state,
    next,
    idle,
    word: isSaid ? 'none' : status,
    ...replicasIn(endpoint),
    gpu: cost === 'none' ? gpu : say('endpoint.gpuCost', { gpu, cost, state }),
  })
}

function replicasIn({ active, replicas, replicasByState, autoscaled }: Endpoint) {
  const running = active === true ? replicasByState?.['RUNNING'] : undefined
  const known = replicas === undefined ? 'none' : running === undefined || running === replicas ? 'all' : 'some'
  return { known, replicas: replicas ?? 0, up: running ?? 0, scaled: autoscaled === true ? 'yes' : 'no' }
}

/** "stops in 53 min (schedule)": the next automatic start or stop; 'none' if none is due. */
export function nextStep(
  endpoint: Endpoint,
  { rulesOf, announcedOf, freeze = null, now }: Pick<Context<unknown>, 'rulesOf' | 'announcedOf' | 'freeze' | 'now'>,
): Sentence | 'none' {
  const { active } = endpoint
  const announced = announcedOf?.(endpoint) ?? null
  const thawed = freeze === null ? now : (freeze.until ?? Number.POSITIVE_INFINITY)
  const starts = announced?.want === 'up'
  if (announced !== null && active !== starts && thawed <= announced.at)
    return stepIn(starts ? 'starts' : 'stops', announced.at - now, announced.by)
  const rules = rulesOf?.(endpoint)
  if (rules === undefined) return 'none'
  const { want } = desired(rules, now)
  // A person may just have changed or paused the endpoint, which the next look finds.
  if (isAgainst(want, active) && !comesTooLate(rules, now))
    return failedText(rules, { want, active }, now, 'yes') || 'none'
  const soonest = nextChange(rules, now)
  // If the endpoint already is as the next change wants it, the change after that is the next step.
  const isAlready = soonest?.want === (active === true ? 'up' : 'down')
  const next = soonest !== null && isAlready ? nextChange(rules, soonest.at) : soonest
  if (next === null) return 'none'
  if (next.want === 'down' && active !== false) return stepIn('stops', next.at - now, causeOf(next.by))
  if (next.want === 'up' && active !== true) return stepIn('starts', next.at - now, causeOf(next.by))
  return 'none'
}

/** Returns the pause or the manual change that decides now; null if something else does. */
export function holdIn(rules: Rules | undefined, now: number): Hold | null {
  const by = rules && desired(rules, now).by
  return by?.kind === 'hold' ? by : null
}

/** "automation paused for another 12 h", without an instant, because a row with a menu beside it can't show zones. */
function pauseText(rules: Rules | undefined, now: number): Sentence | '' {
  const hold = holdIn(rules, now)
  return hold === null ? '' : say('home.paused', { by: because(hold).by, length: { lasting: hold.until - now } })
}

function causeOf(by: Decider): Announced['by'] {
  return by.kind === 'once' ? 'once' : 'schedule'
}

/** "stops in 53 min (schedule)"; `ms` until then. */
function stepIn(verb: 'starts' | 'stops', ms: number, by: Announced['by']): Sentence {
  return say('endpoint.next', { verb, when: ms <= 0 ? 'now' : 'in', length: { lasting: ms }, by })
}

type What = SentenceId extends infer Id ? (Id extends `action.${infer One}` ? One : never) : never

export function startStopButtons(endpoint: Endpoint): readonly Offer[] {
  return endpoint.active === null ? [] : [buttonTo(endpoint.active ? 'stop' : 'start', endpoint)]
}

/** Returns the most frequent actions in the endpoint's state, for the ⋯ beside its name. */
export function rowActions(endpoint: Endpoint): readonly Offer[] {
  const down: readonly What[] = ['start', 'schedule', 'history', 'more']
  const up: readonly What[] = ['stop', 'restart', 'scale', 'logs', 'more']
  return meantFor(endpoint, endpoint.active === false ? down : up).map((what) => actionOn(endpoint, what))
}

/** Returns every action in the endpoint's state, by group. `pauses`: what keeps automation from acting on it. */
export function allActions(endpoint: Endpoint, pauses: readonly Pause[] = []): readonly (readonly Offer[])[] {
  const up: readonly What[] = endpoint.active === false ? [] : ['stop', 'restart', 'scale']
  const operate: readonly What[] = endpoint.active === true ? [...up, 'patch'] : ['start', ...up, 'patch']
  const ends = pauses.map(({ endedBy }) => endedBy)
  const automate: readonly What[] = ['schedule', 'idle', ...(ends.length > 0 ? ends : ['keep' as const]), 'protect']
  const look: readonly What[] = ['status', 'replicas', 'logs', 'schedules', 'history']
  return [meantFor(endpoint, operate), automate, look].map((group) => group.map((what) => actionOn(endpoint, what)))
}

/** Only the platform scales an autoscaled endpoint. */
function meantFor({ autoscaled }: Endpoint, actions: readonly What[]): readonly What[] {
  return autoscaled === true ? actions.filter((what) => what !== 'scale') : actions
}

/** Actions that need more than the endpoint, and those that people rarely want without a change. */
const forms: ReadonlySet<What> = new Set(['scale', 'patch', 'schedule', 'idle', 'keep', 'resume', 'thaw', 'protect'])

function actionOn({ id }: Endpoint, what: What): Offer {
  const line = what === 'thaw' ? what : `${what === 'more' ? 'status' : what} ${writeWord(id)}`
  const opens = what === 'more' ? 'menu' : forms.has(what) ? 'form' : undefined
  return { label: say(`action.${what}`), line, ...(opens !== undefined && { opens }) }
}

/** Says beside an endpoint's state what is open, and what keeps automation from acting on it. */
export function besideState(endpoint: Endpoint, open: readonly Request[], rules: Rules | undefined, now: number) {
  return [openText(endpoint, open), pauseText(rules, now), rules?.protected ? say('spared.protected') : '']
}

/** "stop waits for approval"; empty for an announced stop, which is the next step, and for what the state says. */
function openText(endpoint: Endpoint, open: readonly Request[]): Words {
  const waiting = open.find(waitsForPeople)
  const running = markOf(endpoint) === 'changing' ? undefined : open.find(({ status }) => status === 'running')
  const [verb = ''] = (waiting ?? running)?.line.split(' ') ?? []
  return verb === '' ? '' : say('list.open', { verb, awaits: waiting?.requirement ?? 'nothing' })
}
