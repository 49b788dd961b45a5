import type { operations } from '../../generated/api.ts'

export type OperationName = keyof operations

export interface Traffic {
  /** Requests being answered all the time. */
  readonly running?: number
  readonly waiting?: number
  /** Requests that end each minute. */
  readonly perMinute?: number
}
