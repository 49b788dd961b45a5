import type { Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

/** Addresses of proxies, which may carry a password; '' for none. `noProxy`: hosts that are reached directly. */
export type Proxies = Readonly<Required<Pick<EnvHttpProxyAgent.Options, 'httpProxy' | 'httpsProxy' | 'noProxy'>>>

interface ConnectionOptions extends Omit<Agent.Options, 'connect'> {
  /** Of connections without a proxy; of those to the proxy only `timeout` counts. */
  readonly connect?: buildConnector.BuildOptions
  /** Gets each new socket, to this host or to the proxy. */
  readonly onSocket?: (socket: Socket) => void
}

/** A pool of connections. All go through the proxy, as tunnels, but those to the hosts of `noProxy`. */
export function createConnections(
  proxy: Proxies | undefined,
  { connect, onSocket, ...options }: ConnectionOptions = {},
) {
  const direct = { ...options, connect: watched(buildConnector({ ...connect }), onSocket) }
  if (proxy === undefined) return new Agent(direct)
  const { timeout } = connect ?? {}
  return new EnvHttpProxyAgent({
    ...direct,
    ...proxy,
    clientFactory: (origin): Dispatcher =>
      new Pool(origin, {
        connect: watched(buildConnector(timeout ? { timeout } : {}), onSocket),
        // Of the proxy's answer to CONNECT, which otherwise may take five minutes.
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
