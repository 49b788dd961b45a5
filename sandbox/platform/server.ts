import type { Metric } from './exposition.ts'
import type { Reading } from './meter.ts'

/** What a server knows when its metrics are read. */
export interface State extends Reading {
  readonly model: string
  /** When its process began, ms since 1970. */
  readonly processAt: number
  /** How often its metrics were read, this time included. */
  readonly scrapes: number
}

/** One kind of server that a container may run: how it shows and writes what it does. */
export interface Server {
  /** Where its metrics are. */
  readonly path: string
  /** Whether it writes whole numbers as 1.0, as clients in Python do. */
  readonly float: boolean
  readonly metrics: (state: State) => readonly Metric[]
  /** The path of its requests. */
  readonly work: string
  /** What it writes about a request; null for nothing. `at` in ms since 1970. */
  readonly access: (method: string, path: string, status: number, at: number) => string | null
  /** Whether it writes about who reads its metrics, too. */
  readonly writesScrapes: boolean
  /** What it writes in intervals while it works, and twice more after; null for nothing. */
  readonly interval?: (reading: Reading, at: number) => string
}
