import type { JsonObject } from '../json.ts'

/** A modal or a Home as the app gave it, with what Slack adds. */
export interface View {
  readonly id: string
  readonly type: 'modal' | 'home'
  /** The view as the app wrote it; `blocks` has its blocks with ids. */
  readonly given: JsonObject
  readonly blocks: readonly JsonObject[]
  /** Changes with every update, so that an update can refuse a stale view. */
  readonly hash: string
  /** The person's input so far: block id → action id → value. */
  readonly values: Values
}

export type Values = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
