import type { JsonObject } from './json.ts'

/** What Slack sends to the app. */
export interface Delivery {
  readonly type: 'slash_commands' | 'interactive' | 'events_api'
  readonly payload: JsonObject
  /** Whether an answer may carry more than "taken". */
  readonly acceptsAnswer: boolean
}

/** What came of it, within Slack's 3 seconds. */
export type Answer =
  /** `body` is what the app put into its answer, if anything. */
  | { readonly kind: 'acked'; readonly body: JsonObject | undefined }
  | { readonly kind: 'operation_timeout' }
  /** Nobody was there to take it, or it was taken with an error. */
  | { readonly kind: 'dispatch_failed'; readonly why: string }

/** The way to the app: sockets or signed requests. */
export interface Link {
  send(delivery: Delivery): Promise<Answer>
  /** Sends something again exactly as it was sent before, counted from 0 in the order of sending. */
  sendAgain(index: number): Promise<Answer>
  /** What was sent so far. */
  readonly sent: readonly Delivery[]
  stop(): Promise<void>
}

/** Waits for an answer, no longer than `limitMs`. */
export function withinLimit(answer: Promise<Answer>, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ kind: 'operation_timeout' }), limitMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
