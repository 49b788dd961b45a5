import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { sendText } from './http.ts'

/** Answers one request; returns false if the path is not its own. */
export type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean | Promise<boolean>

export interface LocalServer {
  readonly origin: string
  /** Cuts every connection, and accepts none until `up`. */
  readonly down: () => void
  readonly up: () => void
  stop(): Promise<void>
}

/** Starts an HTTP server on the loopback address. It refuses requests with another Host or from a foreign page. */
export async function startServer(
  port: number,
  routes: readonly Route[],
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendText(response, 500, error instanceof Error ? error.message : String(error))
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!fromHere(request, portOf(server))) return sendText(response, 403, 'This address is for this machine only.')
    const url = new URL(request.url ?? '/', 'http://sandbox')
    for (const route of routes) if (await route(request, response, url)) return
    sendText(response, 404, 'There is nothing here.')
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (fromHere(request, portOf(server))) upgrade(request, socket, head)
    else socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
  })
  // Longer than an app pauses between calls, so that none is sent into a connection that is just closing.
  server.keepAliveTimeout = 60_000
  const open = new Set<Socket>()
  let reachable = true
  server.on('connection', (socket) => {
    if (!reachable) return socket.destroy()
    open.add(socket)
    return socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    down() {
      reachable = false
      for (const socket of open) socket.destroy()
    },
    up() {
      reachable = true
    },
    stop: () => close(server, open),
  }
}

/**
 * A page of another site can make a browser send requests here, but not without its Origin; and a foreign name that
 * resolves to this machine shows in the Host.
 */
function fromHere(request: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const { host, origin } = request.headers
  return hosts.includes(host ?? '') && (origin === undefined || hosts.some((one) => origin === `http://${one}`))
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0
}

function close(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of open) socket.destroy()
  })
}
