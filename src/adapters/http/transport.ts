import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool, request } from 'undici'

/** Addresses of proxies, which may carry a password; '' for none. `noProxy`: hosts that are reached directly. */
export type Proxies = Readonly<Required<Pick<EnvHttpProxyAgent.Options, 'httpProxy' | 'httpsProxy' | 'noProxy'>>>

interface ConnectionOptions extends Omit<Agent.Options, 'connect'> {
  /** For connections without a proxy. Connections to the proxy use only `timeout`. */
  readonly connect?: buildConnector.BuildOptions
  /** Called with each new socket, to the host or to the proxy. */
  readonly onSocket?: (socket: Socket) => void
}

/** Makes a pool of connections. All but those to the hosts of `noProxy` are tunnels through the proxy. */
export function createConnections(proxy: Proxies | undefined, { connect, onSocket, ...options }: ConnectionOptions) {
  const direct = { ...options, connect: watched(buildConnector({ ...connect }), onSocket) }
  if (proxy === undefined) return new Agent(direct)
  const { timeout } = connect ?? {}
  return new EnvHttpProxyAgent({
    ...direct,
    ...proxy,
    clientFactory: (origin): Dispatcher =>
      new Pool(origin, {
        connect: watched(buildConnector(timeout ? { timeout } : {}), onSocket),
        // Limits the proxy's answer to CONNECT, which may otherwise take five minutes.
        ...(timeout && { headersTimeout: timeout }),
      }),
  })
}

function watched(connect: buildConnector.connector, onSocket: ConnectionOptions['onSocket']): buildConnector.connector {
  if (onSocket === undefined) return connect
  return (options, done) =>
    connect(options, (...result) => {
      if (result[1] !== null) onSocket(result[1])
      done(...result)
    })
}

interface TransportOptions {
  /** How long an idle connection is kept, unless the server announces less, ms. */
  readonly keepMs: number
  readonly connectMs: number
  /** The longest answer. */
  readonly maxBytes: number
  readonly proxy?: Proxies | undefined
}

/** The supported part of the second argument of `fetch`. */
interface TransportRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>> | Headers | undefined
  readonly body?: string | Uint8Array | null
  readonly signal?: AbortSignal | null
}

/** A redirect is never followed, because the key would go with it. */
export class UnwantedRedirect extends Error {
  override readonly name = 'UnwantedRedirect'
}

/** The proxy did not connect to the host, so nothing was sent. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused'
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Makes a response that is already complete. Its text can be read again, and needs no stream. */
export function wholeResponse(text: string, init: Pick<Response, 'status' | 'headers'>): Response {
  return Object.assign(new Response(null, init), { text: async () => text })
}

const utf8 = new TextDecoder()

/** One pool, because a TLS handshake costs more than a call. undici's `request` is three times as fast as `fetch`. */
export function createTransport({ keepMs, connectMs, maxBytes, proxy }: TransportOptions) {
  const dispatcher = createConnections(proxy, { keepAliveTimeout: keepMs, connect: { timeout: connectMs } })
  return {
    /** Sends once. Throws without a connection, on an abort or redirect, and for a 2xx that is cut off or too long. */
    async fetch(url: string | URL, { method = 'GET', headers, body = null, signal = null }: TransportRequest) {
      const given = headers instanceof Headers ? Object.fromEntries(headers) : headers
      const packed = { ...given, 'accept-encoding': 'gzip' }
      const answer = await request(url, { method, headers: packed, body, signal, dispatcher }).catch(plainFault)
      const { statusCode: status } = answer
      const isPacked = answer.headers['content-encoding'] === 'gzip'
      // Errors of both streams are thrown where the result is read.
      const content = isPacked ? pipeline(answer.body, createGunzip(), () => undefined) : answer.body
      // An error is a refusal even if its text is cut off; a 2xx must be complete.
      const isOk = status >= 200 && status < 300
      const bytes = await bytesOf(content, maxBytes, isOk)
      if (redirects.has(status))
        throw new UnwantedRedirect(`The answer is a redirect (${status}), which is not followed.`)
      // The last of several headers with one name counts.
      const single = Object.entries(answer.headers).map(([name, value]): [string, string] => [
        name,
        [value].flat().at(-1) ?? '',
      ])
      return wholeResponse(utf8.decode(bytes), { status, headers: new Headers(single) })
    },
    /** Waits for the calls under way, then closes the connections. */
    close: () => dispatcher.close(),
  }
}

/** Throws undici's error for a refused tunnel under a name of its own, and for a lost connection in plain words. */
function plainFault(fault: unknown): never {
  if (!(fault instanceof Error)) throw fault
  const [, status] = /^Proxy response \((\d+)\)/.exec(fault.message) ?? []
  if (status !== undefined) throw new ProxyRefused(`The proxy refuses to connect (${status}).`)
  if (fault.message === 'other side closed') fault.message = 'the connection was closed before the answer came'
  throw fault
}

async function bytesOf(body: AsyncIterable<Uint8Array>, maxBytes: number, mustBeWhole: boolean) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new Error(`The answer is longer than ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
  } catch (fault) {
    if (mustBeWhole) plainFault(fault)
  }
  return Buffer.concat(chunks)
}
