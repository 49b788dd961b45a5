import type { JsonObject } from '../json.ts'

/** A Web API answer with `ok: false`. `error` is Slack's own name of the reason. */
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

/** `invalid_arguments` and its kin: what is wrong, in the place where Slack's SDKs look for it. */
export function refusalWith(error: string, messages: readonly string[]): Refusal {
  return new Refusal(error, {
    errors: messages,
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  })
}
