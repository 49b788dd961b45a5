import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { HTTPModuleFunctions as bolt } from '@slack/bolt'
import * as z from 'zod'
import type { Meter } from '../../../core/ports/meter.ts'

/** The largest difference between a request's time and ours, ms. */
const window = 300_000
/** How long a signature is remembered, ms. */
const memory = 600_000

export function signaturesOf(signingSecret: string, clock: { now(): number }) {
  // Only valid signatures are remembered, so strangers cannot fill this map.
  const seen = new Map<string, number>()

  /**
   * Returns the signature if it is valid and the request is recent. Bolt's own check refuses only old times, uses the
   * machine's clock, and ignores anything after a second "=", which gives one signature many spellings.
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

  /** Returns false if this signature was seen within ten minutes; remembers it otherwise. */
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

/**
 * Returns the `ssl_check` of Slack's certificate probe, an unsigned form with `ssl_check=1`. Any body with such a
 * field, in any spelling, is answered only as a probe, because it could also carry a button press.
 */
export function sslCheckIn(request: IncomingMessage, text: string): string | undefined {
  if (!/ssl_check/i.test(text)) return undefined
  if (!request.headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded')) return undefined
  const fields = [...new URLSearchParams(text)].filter(([name]) => /^ssl_check/i.test(name))
  return fields.length === 0 ? undefined : fields.map(([, value]) => value).join()
}

const text = z.string()
const named = z.object({ id: text })
const withUser = { user: named, team: named.nullish() }
const view = z.object({ id: text, private_metadata: text, callback_id: text })
const action = z.object({ action_id: text, block_id: text.optional(), type: text.optional(), value: text.optional() })

/** The fields that listeners need, by the kind of delivery. Other kinds have no listener. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  block_actions: z.object({
    ...withUser,
    trigger_id: text.optional(),
    actions: z.array(action).min(1),
    channel: named.optional(),
    response_url: text.optional(),
    view: z.object({ id: text }).nullish(),
  }),
  block_suggestion: z.object({ ...withUser, action_id: text, value: text, view: view.nullish() }),
  view_submission: z.object({
    ...withUser,
    view: view.extend({ state: z.object({ values: z.record(text, z.record(text, z.object({}))) }) }),
  }),
  shortcut: z.object({ ...withUser, callback_id: text, trigger_id: text }),
  event_callback: z.object({ event: z.object({ type: text }) }),
}

const commandShape = z.object({
  command: text,
  text: text.optional(),
  team_id: text,
  user_id: text,
  channel_id: text,
  trigger_id: text,
  response_url: text.optional(),
})

/** Returns the body as Bolt reads it, or undefined if Bolt and the listeners cannot handle it. */
export function parsed(request: Parameters<typeof bolt.parseHTTPRequestBody>[0]): Record<string, unknown> | undefined {
  try {
    const body = z.record(text, z.unknown()).parse(bolt.parseHTTPRequestBody(request))
    const shape = 'command' in body ? commandShape : shapes[String(body['type'])]
    return shape === undefined || shape.safeParse(body).success ? body : undefined
  } catch {
    return undefined
  }
}

export function timedAck<Answer extends unknown[]>(
  body: Readonly<Record<string, unknown>>,
  { happened }: Pick<Meter, 'happened'>,
  ack: (...answer: Answer) => Promise<void>,
): (...answer: Answer) => Promise<void> {
  const since = performance.now()
  const delivery =
    'command' in body ? 'command' : (Object.keys(shapes).find((kind) => kind === body['type']) ?? 'other')
  return async (...answer) => {
    await ack(...answer)
    happened('acknowledged', { delivery, seconds: (performance.now() - since) / 1_000 })
  }
}
