import type { operations } from '../../generated/api.ts'

export type OperationName = keyof operations

export interface Traffic {
  /** Requests in progress at every moment. */
  readonly running?: number
  readonly waiting?: number
  /** Requests that finish each minute. */
  readonly perMinute?: number
}
