import type { JsonObject } from './json.ts'

/** What Slack sends to the app. */
export interface Delivery {
  readonly type: 'slash_commands' | 'interactive' | 'events_api'
  readonly payload: JsonObject
  /** Whether the acknowledgement may carry an answer. */
  readonly acceptsAnswer: boolean
}

/** How the app answered, within Slack's 3 seconds. */
export type Answer =
  /** `body`: what the app put into its answer, if anything. */
  | { readonly kind: 'acked'; readonly body: JsonObject | undefined }
  | { readonly kind: 'operation_timeout' }
  /** No app was there to take it, or the app answered with an error. */
  | { readonly kind: 'dispatch_failed'; readonly why: string }

/** The way to the app: sockets or signed requests. */
export interface Link {
  send(delivery: Delivery): Promise<Answer>
  /** Sends a delivery again exactly as before; `index` counts from 0 in the order of sending. */
  sendAgain(index: number): Promise<Answer>
  /** Everything sent so far. */
  readonly sent: readonly Delivery[]
  stop(): Promise<void>
}

/** Waits for an answer, at most `limitMs`. */
export function withinLimit(answer: Promise<Answer>, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ kind: 'operation_timeout' }), limitMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
