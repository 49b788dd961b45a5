import type { Endpoint } from './endpoint.ts'

export const methods = ['get', 'post', 'patch'] as const

/** A call as it is stored with a plan; `operations/call.ts` makes them, typed by the specification. */
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
  /** A verb and what it needs, for people: "stop", "scale to 3". */
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

/** Where a step's goal stands in what was just read. `away`: somebody moved the endpoint elsewhere. */
export type Standing = 'reached' | 'coming' | 'failed' | 'away'

/** Words of the platform that mean a start has ended badly (Ray Serve's DEPLOY_FAILED and UNHEALTHY, and kin). */
const badStatus = /FAIL|UNHEALTHY|ERROR|CRASH/i

/** Reads `is_active` first and the status second, as the platform's own samples contradict each other. */
export function progressOf(goal: Goal, endpoint: Endpoint): Standing {
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
