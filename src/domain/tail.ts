import type { LogFile } from './endpoint.ts'

/** One line a container wrote. */
export interface LogLine {
  readonly text: string
  readonly source?: string
  /** As the platform wrote it. Its zone cannot be relied on (platform-api.md 5, row 13), so nothing is worked out from it. */
  readonly at?: string
}

/** The end of one log file, or of what was looked for in it. */
export interface Tailed {
  readonly file: LogFile
  /** Oldest first. */
  readonly lines: readonly LogLine[]
  /** Why there is less here than was asked for, in a sentence. */
  readonly note?: string
}

/** The newest log files of an endpoint, one a replica, and all others there are. */
export interface Tail {
  readonly tails: readonly Tailed[]
  /** Newest first, those in `tails` included. */
  readonly files: readonly LogFile[]
}
