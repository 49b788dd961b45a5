import type { Endpoint } from './endpoint.ts'
import { type Sentence, say, type Words } from './words.ts'

export const methods = ['get', 'post', 'patch'] as const

/** A call as it is stored with a plan; `core/commands/call.ts` makes them, typed by the specification. */
export interface PlannedCall {
  readonly method: (typeof methods)[number]
  readonly path: string
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, unknown>>
  }
  readonly body?: unknown
}

/** What a step waits for, as a value, since a plan is stored. `answered`: there is nothing more that could be read. */
export type Goal = 'stopped' | 'serving' | 'answered' | `scaled:${number}` | `restored:${number}`

export function isGoal(text: string): boolean {
  return /^(stopped|serving|answered|(scaled|restored):\d+)$/.test(text)
}

export interface Step {
  /** A verb and what it needs, for the log and for older versions: "stop", "scale to 3". */
  readonly says: string
  readonly call: PlannedCall
  readonly goal: Goal
  /** start and stop set a state, so they may be sent again when nothing moved; a patch or a scale never is. */
  readonly repeatable: boolean
  /** How the endpoint must stand for the call to make sense; somebody may have moved it since the step before. */
  readonly needs?: 'stopped' | 'active'
  /** Done also when a step before has failed: it puts back what was taken away. */
  readonly always?: true
}

export type Plan = readonly Step[]

/** A verb and what it needs, for people: "stop", "scale to 3". */
export function stepName({ goal }: Pick<Step, 'goal'>): Sentence {
  const [what = '', count = '0'] = goal.split(':')
  return say('ask.step', { what: what === 'restored' ? 'scaled' : what, count: Number(count) })
}

/** Where a step's goal stands in what was just read. `away`: somebody moved the endpoint elsewhere. */
export type GoalProgress = 'reached' | 'coming' | 'failed' | 'away'

/** Words of the platform that mean a start has ended badly (Ray Serve's DEPLOY_FAILED and UNHEALTHY, and kin). */
const badStatus = /FAIL|UNHEALTHY|ERROR|CRASH/i

/** Reads `is_active` first and the status second, as the platform's own samples contradict each other. */
export function progressOf(goal: Goal, endpoint: Endpoint): GoalProgress {
  const { active, status, problem } = endpoint
  if (goal === 'answered') return 'reached'
  if (active === null) return 'coming'
  if (goal === 'stopped') return active ? 'coming' : 'reached'
  if (problem !== undefined) return 'coming'
  if (!active) return 'away'
  if (goal !== 'serving') return isScaled(goal, endpoint) ? 'reached' : 'coming'
  if (status === undefined || /^RUNNING$/i.test(status)) return 'reached'
  return badStatus.test(status) ? 'failed' : 'coming'
}

/** The wanted number is set, and runs as far as the platform says what runs. More than there were is restored too. */
function isScaled(goal: Goal, { replicas, replicasByState }: Endpoint): boolean {
  const wanted = countIn(goal)
  // A summary that names states but none running says that none runs.
  const running = replicasByState === undefined ? replicas : (replicasByState['RUNNING'] ?? 0)
  if (replicas === undefined || running === undefined) return false
  return goal.startsWith('restored') ? replicas >= wanted : replicas === wanted && running === wanted
}

function countIn(goal: Goal): number {
  return Number(goal.split(':')[1])
}

/** Whether a read proves that the call of a step took effect, wherever it stands on the way to its goal. */
export function showsEffect(goal: Goal, { active, replicas }: Pick<Endpoint, 'active' | 'replicas'>): boolean {
  if (goal === 'stopped') return active === false
  if (goal === 'serving') return active === true
  if (goal === 'answered' || replicas === undefined) return false
  return goal.startsWith('restored') ? replicas >= countIn(goal) : replicas === countIn(goal)
}

/** What a read showed, kept small. */
export interface Seen {
  readonly at: number
  readonly active: boolean | null
  readonly status?: string
  readonly replicas?: number
  readonly running?: number
  readonly updatedAt?: string
}

/** One call as journalled: written before it is made, completed when it is answered. */
export interface Send {
  readonly at: number
  readonly before: Seen
  /** Absent: nobody recorded how it ended, so it may or may not have been applied. */
  readonly outcome?: {
    readonly kind: 'answered' | 'refused' | 'failed' | 'unknown' | 'unreached'
    readonly at: number
    /** How long the platform wants to be left alone before it is sent again, ms. */
    readonly pause?: number
    /** The platform's own sentence; ours, where it gave none. */
    readonly says?: Words
    /** What to do about it, where that sentence does not say. */
    readonly remedy?: Words
    /** Nobody saw an answer; a later read showed the effect. */
    readonly inferred?: boolean
    /** The platform said yes, and no read has shown it since. */
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
  /** Reads after the last call, newest last; only the last few are kept. */
  readonly looks: readonly Seen[]
  /** Until when it is not begun, ms since 1970: an earlier call of the opposite may still arrive. */
  readonly waitsUntil?: number
  /** Reached, or passed over after a setback. */
  readonly done?: boolean
}

/** Nobody saw what became of it when it was made. */
export function isUnclear({ outcome }: Send): boolean {
  return outcome === undefined || outcome.kind === 'unknown' || outcome.inferred === true || outcome.doubted === true
}

/** The platform has carried it out, by its own word or by what was seen. */
export function isAnswered({ outcome }: Send): boolean {
  return outcome?.kind === 'answered' && outcome.doubted !== true
}

/** Whether two reads show the same. The status, and the replicas of what is stopped, go on settling by themselves. */
export function looksSame(a: Seen, b: Seen): boolean {
  const hasSameReplicas = a.active === false || a.replicas === b.replicas
  return a.active === b.active && hasSameReplicas && a.updatedAt === b.updatedAt
}

/** Until when a step has to wait for a call that would undo it, should it still arrive, ms since 1970; null: no longer. */
export function waitFor(late: LateCall | null, { goal }: Pick<Step, 'goal'>, now: number): number | null {
  const isOpposite = late !== null && late.goal !== goal && (goal === 'serving' || goal === 'stopped')
  return isOpposite && now < late.until ? late.until : null
}
