import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type App, HTTPModuleFunctions as bolt, HTTPResponseAck, type Logger, type Receiver } from '@slack/bolt'
import type { Meter } from '../../../core/ports/meter.ts'
import { closeGently, listenAt } from '../../http/listen.ts'
import { parsed, signaturesOf, sslCheckIn, timedAck } from './verify.ts'

export interface HttpReceiverOptions {
  readonly signingSecret: string
  /** 0 picks a free port, which `start()` returns. */
  readonly port: number
  /** All interfaces by default. */
  readonly host?: string
  /** Counts repeated lines, because anybody can send unsigned requests. */
  readonly logger: Logger
  readonly clock: { now(): number }
  readonly meter: Pick<Meter, 'happened'>
  /** Whether `GET /healthz` reports that commands can be accepted. */
  readonly isWell: () => Promise<boolean>
  /** ms until a delivery without an answer gets a 404; Slack waits 3 s. 3,001 by default. */
  readonly unhandledRequestTimeoutMillis?: number
}

const bodyLimit = 256 * 1024
/** Bolt's own HTTPReceiver ends the process on a signed body that is no object. `deliveryId`: the signature's hash. */
export function createHttpReceiver(options: HttpReceiverOptions) {
  const { port, host, logger, meter, isWell, unhandledRequestTimeoutMillis = 3_001 } = options
  const signatures = signaturesOf(options.signingSecret, options.clock)
  let app: App | undefined
  const server = createServer(
    // Slack and proxies keep connections for a minute. If we closed first, a delivery could fail.
    { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000, keepAliveTimeout: 75_000 },
    (request, response) => {
      route(request, response).catch((error: unknown) => {
        logger.error('Could not accept a delivery:', error)
        answer(response, 500)
      })
    },
  )
  // Slack keeps a few dozen connections open.
  server.maxConnections = 1_000

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Connections that strangers keep open would soon use up the limit.
    response.setHeader('connection', 'close')
    const path = request.url?.split('?', 1)[0]
    if (path === '/healthz' && request.method === 'GET')
      return (await isWell()) ? answer(response, 200, 'ok') : answer(response, 503)
    if (path !== '/slack/events') return answer(response, 404)
    if (request.method !== 'POST') return answer(response, 405)
    await accept(request, response)
  }

  async function accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await bolt.bufferIncomingMessage(request, bodyLimit).catch((error: unknown) => {
      const tooLarge = bolt.isRawBodyError(error) && error.type === 'entity.too.large'
      return tooLarge ? 413 : 400
    })
    if (typeof read === 'number') return answer(response, read)
    const text = read.rawBody.toString()
    const probe = sslCheckIn(request, text)
    if (probe !== undefined) return answer(response, probe === '1' ? 200 : 401)
    const signature = signatures.check(request.headers, text)
    if (signature === undefined) {
      logger.warn('Refused a request whose signature is invalid or too old.')
      return answer(response, 401)
    }
    response.setHeader('connection', 'keep-alive')
    const body = parsed(read)
    if (body === undefined) return answer(response, 400)
    // A repeated delivery gets an empty 200, because the first one was answered. A suggestion changes nothing, and
    // typing the same letters twice in a second gives the same signature.
    if (body['type'] !== 'block_suggestion' && !signatures.first(signature)) return answer(response, 200)
    // A failed delivery may come again with the same signature.
    response.once('close', () => {
      if (!response.writableFinished || response.statusCode >= 400) signatures.forget(signature)
    })
    if (body['type'] === 'url_verification') return bolt.buildUrlVerificationResponse(response, body)
    await deliver(body, signature, read, response)
  }

  async function deliver(
    body: Record<string, unknown>,
    signature: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const ack = new HTTPResponseAck({
      logger,
      processBeforeResponse: false,
      unhandledRequestTimeoutMillis,
      httpRequest: request,
      httpRequestBody: body,
      httpResponse: response,
    })
    try {
      const answered = timedAck(body, meter, ack.bind())
      // Every process that gets a copy makes the same id.
      const deliveryId = hash('sha256', signature)
      await app?.processEvent({ body, ack: answered, customProperties: { deliveryId } })
    } catch (error) {
      logger.error('A listener failed:', error)
      ack.ack()
      answer(response, 500)
    }
  }

  return {
    init: (given) => {
      app = given
    },
    start: async () => ({ port: await listenAt(server, { port, host, variable: 'PORT' }) }),
    isUp: () => server.listening,
    stop: () => closeGently(server, 3_000),
  } satisfies Receiver & { readonly isUp: () => boolean }
}

function answer(response: ServerResponse, status: number, text?: string): void {
  if (!response.headersSent) response.writeHead(status).end(text)
}
