import type { Request } from '../../../src/core/model/request.ts'
import type { World } from './law.ts'
import type { MemoryEndpoint } from './platform.ts'

/** The faults found so far, as sentences, and how often each kind of event happened. */
export interface Findings {
  readonly faults: string[]
  readonly tally: Map<string, number>
  /** Sets the context that the following sentences begin with. */
  readonly about: (what: string) => void
  readonly count: (what: string) => void
  readonly must: (holds: boolean, says: string) => void
}

export function createFindings(): Findings {
  const faults: string[] = []
  const tally = new Map<string, number>()
  let about = ''
  return {
    faults,
    tally,
    about(what) {
      about = what
    },
    count: (what) => void tally.set(what, (tally.get(what) ?? 0) + 1),
    must(holds, says) {
      if (!holds) faults.push(`${about}: ${says}`)
    },
  }
}

export function endpointOf({ platform }: World, { endpoint }: Request): MemoryEndpoint | undefined {
  return platform.endpoints.get(endpoint?.id ?? '')
}

/** Whether an answer was given while its question was open. */
export function isInTime({ ask }: Request, at: number): boolean {
  return ask !== undefined && at >= ask.at && at < ask.expiresAt
}

export const untimely = 'an answer counts that was given before or after its ask'
