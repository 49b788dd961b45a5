import type { Endpoint } from './endpoint.ts'

/** A call as it is stored with a plan; `operations/call.ts` makes them, typed by the specification. */
export interface PlannedCall {
  readonly method: 'get' | 'post' | 'patch'
  readonly path: string
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, unknown>>
  }
  readonly body?: unknown
}

/** What a step waits for, as a value, since a plan is stored. */
export type Goal = 'stopped' | 'serving'

export interface Step {
  /** A verb and nothing else, for people: "stop". */
  readonly says: string
  readonly call: PlannedCall
  readonly goal: Goal
  /** start and stop set a state, so they may be sent again when nothing moved; a patch or a scale never is. */
  readonly repeatable: boolean
}

export type Plan = readonly Step[]

/** Where a step's goal stands in what was just read. `away`: somebody moved the endpoint elsewhere. */
export type Standing = 'reached' | 'coming' | 'failed' | 'away'

/** Words of the platform that mean a start has ended badly (Ray Serve's DEPLOY_FAILED and UNHEALTHY, and kin). */
const badStatus = /FAIL|UNHEALTHY|ERROR|CRASH/i

/** Reads `is_active` first and the status second, as the platform's own samples contradict each other. */
export function progressOf(goal: Goal, { active, status, problem }: Endpoint): Standing {
  if (active === null || problem !== undefined) return 'coming'
  if (goal === 'stopped') return active ? 'coming' : 'reached'
  if (!active) return 'away'
  if (status === undefined || /^RUNNING$/i.test(status)) return 'reached'
  return badStatus.test(status) ? 'failed' : 'coming'
}
