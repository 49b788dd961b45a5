import { createHmac } from 'node:crypto'
import type { Webhook } from '../../core/model/policy.ts'
import { say, type Words } from '../../core/model/words.ts'
import type { EventPorts, Sent } from '../../core/ports/audit.ts'
import type { Clock } from '../../core/ports/services.ts'
import { createGuarded, PrivateAddress, TooSlow } from './ssrf-guard.ts'
import type { Proxies } from './transport.ts'

interface WebhookOptions {
  /** The signing secret of a webhook, by its name. */
  readonly secretOf: (webhook: string) => string | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly proxy?: Proxies | undefined
}

const timeoutMs = 10_000
/** Nobody reads a receiver's answer. */
const maxBytes = 64 * 1024
/** The receiver understood the event and rejects it, so it would reject it again. */
const never = [400, 413, 422]

/** Sends events as Slack does: the signature covers the time and the body, so a receiver can refuse an old one. */
export function createWebhooks({ secretOf, clock, proxy }: WebhookOptions) {
  const limits = { timeoutMs, maxBytes, proxy }
  const open = createGuarded({ ...limits, allowPrivate: false })
  const near = createGuarded({ ...limits, allowPrivate: true })

  const send: EventPorts['send'] = async ({ name, url, secretEnv, allowPrivate }, type, body): Promise<Sent> => {
    const secret = secretOf(name)
    if (secret === undefined) return { kind: 'failed', why: say('events.noSecret', { variable: secretEnv }) }
    const timestamp = String(Math.floor(clock.now() / 1_000))
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Lamplighter',
      'x-lamplighter-event': type,
      'x-lamplighter-request-timestamp': timestamp,
      'x-lamplighter-signature': signatureOf(secret, timestamp, body),
    }
    try {
      const init = { method: 'POST', headers, body }
      const status = await (allowPrivate ? near : open).call(new URL(url), init, async (answer) => answer.status)
      if (status >= 200 && status < 300) return { kind: 'taken' }
      return { kind: never.includes(status) ? 'never' : 'failed', why: say('events.status', { status: `${status}` }) }
    } catch (fault) {
      return { kind: 'failed', why: whyUnsent(fault) }
    }
  }

  return {
    send,
    isReady: ({ name }: Webhook) => secretOf(name) !== undefined,
    stop: async () => void (await Promise.all([open.stop(), near.stop()])),
  }
}

/** `v0=` and the HMAC-SHA-256 of `v0:timestamp:body`, in hex. `timestamp`: s since 1970. */
function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
}

function whyUnsent(fault: unknown): Words {
  if (fault instanceof TooSlow) return say('events.slow', { seconds: timeoutMs / 1_000 })
  if (fault instanceof PrivateAddress) return say('events.private', { setting: 'allow_private: true' })
  return say('events.unreachable')
}
