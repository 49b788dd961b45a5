import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

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

  // Not Bolt's check: it looks for old stamps only, by the machine's clock, and reads no further than a second "=", so
  // that one signature can be written in many ways.
  function check(headers: IncomingHttpHeaders, body: string): string | undefined {
    const signature = headers['x-slack-signature']
    const stamp = headers['x-slack-request-timestamp']
    if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined
    if (typeof stamp !== 'string' || !/^\d{1,12}$/.test(stamp)) return undefined
    // What comes from the future could be kept and played back later.
    if (Math.abs(clock.now() - Number(stamp) * 1_000) > window) return undefined
    const expected = createHmac('sha256', signingSecret).update(`v0:${stamp}:${body}`).digest()
    return timingSafeEqual(expected, Buffer.from(signature.slice(3), 'hex')) ? signature : undefined
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
