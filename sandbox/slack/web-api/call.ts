import type { JsonObject } from '../json.ts'
import type { Workspace } from '../workspace.ts'
import type { Args } from './args.ts'

/** One call of the Web API, as the log of calls keeps it. Tokens are never in it. */
export interface ApiCall {
  readonly method: string
  readonly args: JsonObject
  /** ms since 1970, by the workspace's clock. */
  readonly at: number
  /** What was answered; undefined while it is being worked on, or when a fault swallowed the answer. */
  readonly answer: JsonObject | undefined
  /** True once the call took effect. */
  readonly applied: boolean
}

/** Fired twice for each call: before anything happens, and after it took effect but before it is answered. */
export type CallListener = (call: ApiCall, moment: 'before' | 'after') => void | Promise<void>

export interface Context {
  readonly workspace: Workspace
  readonly args: Args
}

export interface Method {
  /** Which token it wants; `bot` when left out. */
  readonly token?: 'bot' | 'app' | 'none'
  /** Scopes of which one must be granted; nothing when left out. */
  readonly scopes?: (context: Context) => readonly string[]
  /** Calls a minute when the workspace paces realistically. */
  readonly perMinute?: number
  run(context: Context): JsonObject
}

export type Methods = Readonly<Record<string, Method>>
