import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { HTTPModuleFunctions as bolt } from '@slack/bolt'
import * as z from 'zod'

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

/**
 * Slack's probe of our certificate is a form with `ssl_check=1` and no signature. Whatever has such a field, in any
 * spelling, signed or not, ends here: an unsigned body that is let through for its sake once carried a button's press.
 */
export function sslCheckIn(request: IncomingMessage, text: string): string | undefined {
  if (!/ssl_check/i.test(text)) return undefined
  if (!request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded')) return undefined
  const fields = [...new URLSearchParams(text)].filter(([name]) => /^ssl_check/i.test(name))
  return fields.length === 0 ? undefined : fields.map(([, value]) => value).join()
}

const text = z.string()
const named = z.looseObject({ id: text })
const withUser = { user: named, team: named.nullish() }
const view = z.looseObject({ id: text, private_metadata: text, callback_id: text })
const action = z.looseObject({
  action_id: text,
  block_id: text.optional(),
  type: text.optional(),
  value: text.optional(),
})

/** Of each kind of delivery what its listeners count on. A kind that is not here has none. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  block_actions: z.looseObject({
    ...withUser,
    trigger_id: text.optional(),
    actions: z.array(action).min(1),
    channel: named.optional(),
    response_url: text.optional(),
    view: z.looseObject({ id: text }).nullish(),
  }),
  block_suggestion: z.looseObject({ ...withUser, action_id: text, value: text, view: view.nullish() }),
  view_submission: z.looseObject({
    ...withUser,
    view: view.extend({ state: z.looseObject({ values: z.record(text, z.record(text, z.looseObject({}))) }) }),
  }),
  view_closed: z.looseObject({ ...withUser, view }),
  shortcut: z.looseObject({ ...withUser, callback_id: text, trigger_id: text }),
  event_callback: z.looseObject({ event: z.looseObject({ type: text }) }),
}

const commandShape = z.looseObject({
  command: text,
  text: text.optional(),
  team_id: text,
  user_id: text,
  channel_id: text,
  trigger_id: text,
  response_url: text.optional(),
})

/**
 * Bolt's reading of a body; undefined for what is no delivery of Slack's: Bolt and the listeners would trip over it.
 */
export function parsed(request: Parameters<typeof bolt.parseHTTPRequestBody>[0]): Record<string, unknown> | undefined {
  try {
    const body: unknown = bolt.parseHTTPRequestBody(request)
    if (!isObject(body)) return undefined
    const shape = 'command' in body ? commandShape : shapes[String(body['type'])]
    return shape === undefined || shape.safeParse(body).success ? body : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
