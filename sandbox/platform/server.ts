import type { Metric } from './exposition.ts'
import type { Reading } from './meter.ts'

/** What a server knows when its metrics are read. */
export interface State extends Reading {
  readonly model: string
  /** When its process started, ms since 1970. */
  readonly processAt: number
  /** How often its metrics were read, including this time. */
  readonly scrapes: number
}

/** One kind of server that a container may run: its metrics and its log. */
export interface Server {
  /** The path of its metrics. */
  readonly path: string
  /** Whether it writes whole numbers as 1.0, as Python clients do. */
  readonly float: boolean
  readonly metrics: (state: State) => readonly Metric[]
  /** The path of its requests. */
  readonly work: string
  /** Returns its log line about a request; null if it writes none. `at` in ms since 1970. */
  readonly access: (method: string, path: string, status: number, at: number) => string | null
  /** Whether it also logs reads of its metrics. */
  readonly writesScrapes: boolean
  /** Returns its log line at intervals, while it works and once more after; left out if it writes none. */
  readonly interval?: (reading: Reading, at: number) => string
}
