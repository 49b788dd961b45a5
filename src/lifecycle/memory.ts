import type { Event, Request } from '../domain/request.ts'
import type { ListedPrices } from './prices.ts'

/** What is kept of requests once they are over, and of answers too long for a message. */
export interface Memory extends ListedPrices {
  /** Operations that ended since then (ms since 1970), newest first, after the first `skip` of them. */
  past(since: number, skip: number, most: number): Promise<PastPage>
  /** Everything that happened to a request, oldest first. */
  eventsOf(id: string): Promise<readonly Event[]>
  /** Texts too long for a message, kept beside the answer they belong to until they are sent. */
  keepFiles(id: string, texts: readonly string[]): Promise<void>
  /** Null when it is gone. `at` counts from 0. */
  readonly fileOf: (id: string, at: number) => Promise<string | null>
}

export interface PastPage {
  readonly requests: readonly Request[]
  /** False: there are none after these. */
  readonly more: boolean
}
