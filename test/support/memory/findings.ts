import type { Request } from '../../../src/core/model/request.ts'
import type { World } from './law.ts'
import type { MemoryEndpoint } from './platform.ts'

/** What has been found so far, in sentences, and how often each kind of thing happened. */
export interface Findings {
  readonly faults: string[]
  readonly tally: Map<string, number>
  /** What the sentences are about from now on. */
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

/** An answer counts from its ask on and until that is over. */
export function isInTime({ ask }: Request, at: number): boolean {
  return ask !== undefined && at >= ask.at && at < ask.expiresAt
}

export const untimely = 'an answer counts that was given before or after its ask'
