import { currentState, type Endpoint } from './endpoint.ts'
import { type Sentence, say, type Words } from './words.ts'

export const methods = ['get', 'post', 'patch'] as const

/** A call as stored with a plan. `core/commands/call.ts` makes it, typed by the specification. */
export interface PlannedCall {
  readonly method: (typeof methods)[number]
  readonly path: string
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, unknown>>
  }
  readonly body?: unknown
}

/** What a step waits for, as a storable value. `answered`: no read could show more than the answer. */
export type Goal = 'stopped' | 'serving' | 'answered' | `scaled:${number}` | `restored:${number}`

export function isGoal(text: string): boolean {
  return /^(stopped|serving|answered|(scaled|restored):\d+)$/.test(text)
}

export interface Step {
  /** The verb and its argument, for the log and for older versions: "stop", "scale to 3". */
  readonly says: string
  readonly call: PlannedCall
  readonly goal: Goal
  /** Starts and stops set a state, so they may be sent again after no effect. Patches and scales never are. */
  readonly repeatable: boolean
  /** The state that the call requires. Someone may have changed it since the previous step. */
  readonly needs?: 'stopped' | 'active'
  /** Runs even after an earlier step has failed, because it puts back what was taken down. */
  readonly always?: true
}

export type Plan = readonly Step[]

/** The verb and its argument, for people: "stop", "scale to 3"; before it begins perhaps "scale back to 3 if needed". */
export function stepName({ goal }: Pick<Step, 'goal'>, when: 'before' | 'begun' = 'begun'): Sentence {
  const [what = '', count = '0'] = goal.split(':')
  return say('ask.step', { what: when === 'begun' && what === 'restored' ? 'scaled' : what, count: Number(count) })
}

/** The progress of a goal in the latest read. `away`: someone else changed the endpoint. */
export type GoalProgress = 'reached' | 'coming' | 'failed' | 'away'

/** Judges by `is_active` first and the status second, because the platform's own samples contradict each other. */
export function progressOf(goal: Goal, endpoint: Endpoint): GoalProgress {
  const { active, status, problem } = endpoint
  if (goal === 'answered') return 'reached'
  if (active === null) return 'coming'
  if (goal === 'stopped') return active ? 'coming' : 'reached'
  if (problem !== undefined) return 'coming'
  if (!active) return 'away'
  if (goal !== 'serving') return isScaled(goal, endpoint) ? 'reached' : 'coming'
  if (status === undefined || /^RUNNING$/i.test(status)) return 'reached'
  return currentState(endpoint) === 'failed' ? 'failed' : 'coming'
}

/** The wanted number is set and running, as far as that is reported. For `restored`, more or autoscaled is fine too. */
function isScaled(goal: Goal, { autoscaled, replicas, replicasByState }: Endpoint): boolean {
  if (goal.startsWith('restored') && autoscaled === true) return true
  const wanted = countIn(goal)
  // A summary that lists states but not RUNNING means that none is running.
  const running = replicasByState === undefined ? replicas : (replicasByState['RUNNING'] ?? 0)
  if (replicas === undefined || running === undefined) return false
  return goal.startsWith('restored') ? replicas >= wanted : replicas === wanted && running === wanted
}

/** Whether two reads in a row show the same other number of replicas, after one that had the wanted number. */
export function isScaledElsewhere(goal: Goal, [first, second]: readonly Seen[], now: Seen): boolean {
  const isOther = now.replicas !== undefined && now.replicas !== countIn(goal)
  return first?.replicas === countIn(goal) && isOther && second?.replicas === now.replicas
}

/** Returns the last read with the wanted number of replicas, by which `isScaledElsewhere` judges; else all reads. */
export function looksToKeep(goal: Goal, looks: readonly Seen[]): readonly Seen[] {
  const wanted = goal.includes(':') ? looks.findLast((one) => showsEffect(goal, one)) : undefined
  return wanted === undefined ? looks : [wanted]
}

function countIn(goal: Goal): number {
  return Number(goal.split(':')[1])
}

/** Whether a read proves that a step's call took effect, even if its goal is not reached yet. */
export function showsEffect(goal: Goal, { active, replicas }: Pick<Endpoint, 'active' | 'replicas'>): boolean {
  if (goal === 'stopped') return active === false
  if (goal === 'serving') return active === true
  if (goal === 'answered' || replicas === undefined) return false
  return goal.startsWith('restored') ? replicas >= countIn(goal) : replicas === countIn(goal)
}

/** The part of a read that is stored. */
export interface Seen extends Pick<Endpoint, 'active' | 'status' | 'replicas' | 'updatedAt'> {
  readonly at: number
  readonly running?: number
}

/** A journaled call: written before it is made, and completed with its outcome. */
export interface Send {
  readonly at: number
  readonly before: Seen
  /** Absent: the outcome was not recorded, so the call may or may not have been applied. */
  readonly outcome?: {
    readonly kind: 'answered' | 'refused' | 'failed' | 'unknown' | 'unreached'
    readonly at: number
    /** How long to wait before the next attempt, as the platform asked, ms. */
    readonly pause?: number
    /** The platform's own sentence, or ours if it gave none. */
    readonly says?: Words
    /** What to do, if `says` does not say it. */
    readonly remedy?: Words
    /** No answer arrived, but a later read showed the effect. */
    readonly inferred?: boolean
    /** The platform accepted the call, but no read has shown its effect. */
    readonly doubted?: boolean
  }
}

/** A start or stop of unknown outcome that may still arrive, until `until` (ms since 1970). */
export interface LateCall {
  readonly goal: 'serving' | 'stopped'
  readonly until: number
}

export interface Progress {
  readonly sends: readonly Send[]
  /** Reads after the last call, newest last. Only the last few are kept. */
  readonly looks: readonly Seen[]
  /** When the step may begin, ms since 1970, because an earlier opposite call may still arrive. */
  readonly waitsUntil?: number
  /** When the current run of failed reads began, ms since 1970. */
  readonly unreadSince?: number
  /** When reads began to miss the endpoint without a break, ms since 1970. */
  readonly goneSince?: number
  /** Reached, or skipped after a setback. */
  readonly done?: boolean
}

/** Whether the outcome of a call was unknown when it was made. */
export function isUnclear({ outcome }: Send): boolean {
  return outcome === undefined || outcome.kind === 'unknown' || outcome.inferred === true || outcome.doubted === true
}

/** Whether the platform carried out the call, by its own answer or by what was read. */
export function isAnswered({ outcome }: Send): boolean {
  return outcome?.kind === 'answered' && outcome.doubted !== true
}

/** Whether the platform has taken no call yet: none was made, or each was turned away. */
export function isUntaken(progress: readonly Progress[] = []): boolean {
  return progress.every(({ sends }) => sends.every(({ outcome }) => outcome?.kind === 'unreached'))
}

/** Whether two reads show the same. Ignores the status and a stopped endpoint's replicas, which may still settle. */
export function looksSame(a: Seen, b: Seen): boolean {
  const hasSameReplicas = a.active === false || a.replicas === b.replicas
  return a.active === b.active && hasSameReplicas && a.updatedAt === b.updatedAt
}

/** A longer wait for a late call is from before the clock was set back, so it is looked at again after this time, ms. */
const longestWait = 4 * 60_000

/** Returns until when a step must wait for an opposite call that may still arrive, ms since 1970; null: no wait. */
export function waitFor(late: LateCall | null, { goal }: Pick<Step, 'goal'>, now: number): number | null {
  const isOpposite = late !== null && late.goal !== goal && (goal === 'serving' || goal === 'stopped')
  return isOpposite && now < late.until ? Math.min(late.until, now + longestWait) : null
}
