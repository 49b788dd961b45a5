import type { Request } from '../domain/request.ts'

/** What one worker holds a request under: from the write that stores it, or from when it claims it. */
export interface Lease {
  /** Nobody else's. */
  readonly token: string
  /** Monotonic ms, taken before it was first sent. */
  readonly since: number
  /** The request as the very write that took the lease has stored it: there is nothing to read. */
  readonly written?: Request
}
