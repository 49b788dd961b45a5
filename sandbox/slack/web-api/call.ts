import type { JsonObject } from '../json.ts'
import type { Workspace } from '../workspace.ts'
import type { Args } from './args.ts'

/** One call of the Web API as the log of calls keeps it, without its token. */
export interface ApiCall {
  readonly method: string
  readonly args: JsonObject
  /** ms since 1970, by the workspace's clock. */
  readonly at: number
  /** The answer; undefined until there is one, or if a fault swallowed it. */
  readonly answer: JsonObject | undefined
  /** True once the call took effect. */
  readonly applied: boolean
}

/** Called twice for each call: before it takes effect, and after it took effect but before it is answered. */
export type CallListener = (call: ApiCall, moment: 'before' | 'after') => void | Promise<void>

export interface Context {
  readonly workspace: Workspace
  readonly args: Args
}

export interface Method {
  /** The token it requires; `bot` if left out. */
  readonly token?: 'bot' | 'app' | 'none'
  /** The scopes it requires; none if left out. */
  readonly scopes?: (context: Context) => readonly string[]
  /** Calls a minute if the workspace sets `paceRealistically`. */
  readonly perMinute?: number
  run(context: Context): JsonObject
}

export type Methods = Readonly<Record<string, Method>>
