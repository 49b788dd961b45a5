import { createHmac } from 'node:crypto'
import { isObject, type JsonObject, parseJson } from './json.ts'
import type { Answer, Delivery, Link } from './link.ts'
import type { Workspace } from './workspace.ts'

/** How to falsify a request. */
export interface Tamper {
  /** Seconds added to the timestamp before it is signed. */
  readonly skewS?: number
  /** Replaces the signature; '' leaves the header out. */
  readonly signature?: string
  /** Put before the body, even of an unsigned request: `ssl_check=1&`. */
  readonly prefix?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export interface SignedHttp extends Link {
  readonly setRequestUrl: (url: string) => void
  /** Does what Slack does when a person enters an address; resolves to true if the app echoes the challenge. */
  verifyUrl(): Promise<boolean>
  /** Sends a delivery that Slack would not send. */
  forge(delivery: Delivery, tamper: Tamper): Promise<HttpAnswer>
  /** Checks the app's certificate, as Slack does with public apps from time to time. */
  sslCheck(): Promise<HttpAnswer>
}

interface Prepared {
  readonly headers: Record<string, string>
  readonly body: string
}

/** Sends payloads as signed requests to one address. */
export function createSignedHttp(workspace: Workspace): SignedHttp {
  const { settings } = workspace
  const sent: { readonly delivery: Delivery; readonly prepared: Prepared }[] = []
  let requestUrl = settings.requestUrl

  function send(delivery: Delivery): Promise<Answer> {
    const prepared = prepare(delivery)
    sent.push({ delivery, prepared })
    return answerOf(prepared)
  }

  /** Repeats a command or an interaction byte for byte, as an eavesdropper would; an event with retry headers. */
  async function sendAgain(index: number): Promise<Answer> {
    const known = sent[index]
    if (!known) throw new Error(`Nothing was sent with index ${index}; there are ${sent.length} deliveries.`)
    if (known.delivery.type !== 'events_api') return answerOf(known.prepared)
    const { headers, body } = prepare(known.delivery)
    return answerOf({ headers: { ...headers, 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' }, body })
  }

  function prepare(delivery: Delivery, tamper: Tamper = {}): Prepared {
    const json = delivery.type === 'events_api'
    return signed(json ? JSON.stringify(delivery.payload) : formOf(delivery), json, tamper)
  }

  function signed(bare: string, json: boolean, tamper: Tamper = {}): Prepared {
    const body = (tamper.prefix ?? '') + bare
    const at = String(Math.floor(settings.clock.now() / 1000) + (tamper.skewS ?? 0))
    const mac = createHmac('sha256', settings.signingSecret).update(`v0:${at}:${body}`).digest('hex')
    const signature = tamper.signature ?? `v0=${mac}`
    return {
      body,
      headers: {
        'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': at,
        ...(signature === '' ? {} : { 'x-slack-signature': signature }),
      },
    }
  }

  async function answerOf(prepared: Prepared): Promise<Answer> {
    try {
      const { status, body } = await exchange(prepared)
      if (status !== 200) return { kind: 'dispatch_failed', why: `The app answered ${status}.` }
      return { kind: 'acked', body: readAnswer(body) }
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'operation_timeout' }
      return { kind: 'dispatch_failed', why: String(error) }
    }
  }

  async function exchange({ headers, body }: Prepared): Promise<HttpAnswer> {
    if (requestUrl === undefined) throw new Error('No request URL is set: call setRequestUrl first.')
    const signal = AbortSignal.timeout(settings.ackTimeoutMs)
    const response = await fetch(requestUrl, { method: 'POST', headers, body, signal, redirect: 'error' })
    return { status: response.status, body: await response.text() }
  }

  async function verifyUrl(): Promise<boolean> {
    const challenge = workspace.ids.next('challenge')
    const { status, body } = await exchange(signed(JSON.stringify({ type: 'url_verification', challenge }), true))
    return status === 200 && body.includes(challenge)
  }

  return {
    send,
    sendAgain,
    get sent() {
      return sent.map((one) => one.delivery)
    },
    setRequestUrl(url) {
      requestUrl = url
    },
    verifyUrl,
    forge: (delivery, tamper) => exchange(prepare(delivery, tamper)),
    sslCheck: () => exchange({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'ssl_check=1' }),
    stop: () => Promise.resolve(),
  }
}

function formOf({ type, payload }: Delivery): string {
  if (type === 'interactive') return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  return new URLSearchParams(
    Object.entries(payload).map(([key, value]): [string, string] => [key, textOf(value)]),
  ).toString()
}

function textOf(value: JsonObject[string]): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

/** An empty answer says nothing; an answer that is not JSON is a text to show. */
function readAnswer(body: string): JsonObject | undefined {
  if (body.trim() === '') return undefined
  const parsed = parseJson(body)
  if (!isObject(parsed)) return { text: typeof parsed === 'string' ? parsed : body }
  return Object.keys(parsed).length > 0 ? parsed : undefined
}
