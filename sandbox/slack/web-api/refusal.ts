import type { JsonObject } from '../json.ts'

/** A Web API answer with `ok: false`. `error` is Slack's name of the reason. */
export class Refusal extends Error {
  readonly error: string
  readonly details: JsonObject
  constructor(error: string, details: JsonObject = {}) {
    super(error)
    this.name = 'Refusal'
    this.error = error
    this.details = details
  }
}

/** Returns a refusal such as `invalid_arguments`, with its messages where Slack's SDKs look for them. */
export function refusalWith(error: string, messages: readonly string[]): Refusal {
  return new Refusal(error, {
    errors: messages,
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  })
}
