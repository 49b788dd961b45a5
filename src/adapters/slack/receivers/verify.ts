import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { HTTPModuleFunctions as bolt } from '@slack/bolt'

/** The largest difference between a request's time and ours, ms. */
const window = 300_000
/** How long a signature is remembered, ms. */
const memory = 600_000

/** Checks that requests come from Slack, and recognises repeated ones. */
export function signaturesOf(signingSecret: string, clock: { now(): number }) {
  // Only valid signatures are remembered, so strangers cannot fill this.
  const seen = new Map<string, number>()

  /**
   * The signature if it is valid and the request is recent. Bolt's check only refuses old times, by the machine's clock,
   * and ignores anything after a second "=", so that one signature has many spellings.
   */
  function check(headers: IncomingHttpHeaders, body: string): string | undefined {
    const signature = headers['x-slack-signature']
    const stamp = headers['x-slack-request-timestamp']
    if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return undefined
    if (typeof stamp !== 'string' || !/^\d{1,12}$/.test(stamp)) return undefined
    // A request from the future could be kept and replayed later.
    if (Math.abs(clock.now() - Number(stamp) * 1_000) > window) return undefined
    const expected = createHmac('sha256', signingSecret).update(`v0:${stamp}:${body}`).digest()
    return timingSafeEqual(expected, Buffer.from(signature.slice(3), 'hex')) ? signature : undefined
  }

  /** False if this signature was seen within ten minutes; remembers it otherwise. */
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

  return { check, first, forget: (signature: string) => void seen.delete(signature) }
}

/** The id of a delivery, the same in every process that gets a copy. */
export function deliveryIdOf(signature: string): string {
  return hash('sha256', signature)
}

/**
 * The `ssl_check` of Slack's certificate probe, an unsigned form with `ssl_check=1`. Any body with such a field, in any
 * spelling, is only answered as a probe, since one could also carry a button's press.
 */
export function sslCheckIn(request: IncomingMessage, text: string): string | undefined {
  if (!/ssl_check/i.test(text)) return undefined
  if (!request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded')) return undefined
  const fields = [...new URLSearchParams(text)].filter(([name]) => /^ssl_check/i.test(name))
  return fields.length === 0 ? undefined : fields.map(([, value]) => value).join()
}

/** The body as Bolt reads it; undefined if it is no object. Its fields are Slack's, as those of Socket Mode are: it is signed. */
export function parsed(request: Parameters<typeof bolt.parseHTTPRequestBody>[0]): Record<string, unknown> | undefined {
  try {
    const body: unknown = bolt.parseHTTPRequestBody(request)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
