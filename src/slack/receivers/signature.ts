import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isValidSlackRequest } from '@slack/bolt'

const window = 300_000
const memory = 600_000

/** Tells Slack's requests from others', and a first delivery from a repeated one. Times come from the given clock. */
export interface Signatures {
  /** The signature when the request is Slack's own and of now, else undefined. */
  check(headers: IncomingHttpHeaders, body: string): string | undefined
  /** False when this signature was here within ten minutes; otherwise it is remembered. */
  first(signature: string): boolean
  forget(signature: string): void
}

export function signaturesOf(signingSecret: string, clock: { now(): number }): Signatures {
  // Only checked signatures are remembered, so a stranger cannot fill this.
  const seen = new Map<string, number>()

  function check(headers: IncomingHttpHeaders, body: string): string | undefined {
    const signature = headers['x-slack-signature']
    const stamp = headers['x-slack-request-timestamp']
    // Bolt reads no further than a second "=", so one signature could be written in many ways.
    if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined
    if (typeof stamp !== 'string' || !/^\d{1,12}$/.test(stamp)) return undefined
    // Bolt refuses what is old; what comes from the future could be kept and played back later.
    if (Math.abs(clock.now() - Number(stamp) * 1_000) > window) return undefined
    const signed = { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(stamp) }
    return isValidSlackRequest({ signingSecret, body, headers: signed, nowMilliseconds: clock.now() })
      ? signature
      : undefined
  }

  function first(signature: string): boolean {
    const now = clock.now()
    for (const [old, until] of seen) {
      if (until > now) break
      seen.delete(old)
    }
    if (seen.has(signature)) return false
    seen.set(signature, now + memory)
    return true
  }

  return { check, first, forget: (signature) => void seen.delete(signature) }
}

/** One id for one delivery: the same in every process that is sent a copy of it. */
export function deliveryIdOf(signature: string): string {
  return createHash('sha256').update(signature).digest('hex')
}
