import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { JsonObject } from '../json.ts'
import { type Answer, type Delivery, type Link, withinLimit } from '../link.ts'
import type { Workspace } from '../workspace.ts'
import { type Connection, createConnection } from './connection.ts'

/** Slack's limits: sockets per app, and ms between the pings that keep one alive. */
const mostSockets = 10
const pingEveryMs = 10_000

export interface Sockets extends Link {
  /** Accepts a connection that asks to become a socket. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Returns the number of open sockets that were not asked to reconnect. */
  count(): number
  /** Resolves once `count` sockets are open. */
  connected(count?: number): Promise<void>
  /**
   * Refreshes a socket as Slack does every few hours: a warning, after `graceMs` the request to reconnect, then the
   * end. Resolves when either side has closed the socket.
   */
  refresh(which?: number | 'random', graceMs?: number): Promise<void>
  /** Cuts a socket off without a goodbye. */
  drop(which?: number | 'random'): void
}

export function createSockets(workspace: Workspace): Sockets {
  const server = new WebSocketServer({ noServer: true })
  const connections: Connection[] = []
  const sent: { readonly delivery: Delivery; readonly envelope: JsonObject }[] = []
  const watchers = new Set<() => void>()
  let turn = 0
  const pinging = setInterval(() => {
    for (const connection of connections) connection.ping()
  }, pingEveryMs)
  pinging.unref()

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '', 'http://sandbox').searchParams.get('ticket') ?? ''
    if (workspace.tickets.redeem(ticket)) server.handleUpgrade(request, socket, head, opened)
    else socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
  }

  function opened(socket: WebSocket): void {
    const connection = createConnection(socket)
    if (connections.length >= mostSockets) {
      connection.say({ type: 'disconnect', reason: 'too_many_websockets', debug_info: { host: 'sandbox' } })
      void connection.close()
      return
    }
    connections.push(connection)
    socket.on('close', () => {
      connections.splice(connections.indexOf(connection), 1)
      for (const watcher of watchers) watcher()
    })
    connection.say({
      type: 'hello',
      num_connections: connections.length,
      debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: 18_060 },
      connection_info: { app_id: workspace.settings.app.id },
    })
    connection.ping()
    for (const watcher of watchers) watcher()
  }

  function send(delivery: Delivery): Promise<Answer> {
    const envelope = {
      envelope_id: randomUUID(),
      type: delivery.type,
      accepts_response_payload: delivery.acceptsAnswer,
      payload: delivery.payload,
    }
    sent.push({ delivery, envelope })
    return transmit(envelope)
  }

  async function sendAgain(index: number): Promise<Answer> {
    const known = sent[index]
    if (!known) throw new Error(`Nothing was sent with index ${index}; there are ${sent.length} deliveries.`)
    return transmit({ ...known.envelope, retry_attempt: 1, retry_reason: 'timeout' })
  }

  /** Sends over the sockets in turn, and over one that is about to close only if there is no other. */
  function transmit(envelope: JsonObject): Promise<Answer> {
    const open = connections.filter((one) => one.isOpen())
    const fresh = open.filter((one) => !one.isRetiring())
    const able = fresh.length > 0 ? fresh : open
    turn += 1
    const connection = able[turn % able.length]
    if (!connection) return Promise.resolve({ kind: 'dispatch_failed', why: 'No socket is open.' })
    const answer = connection.deliver(envelope).then((body): Answer => {
      return { kind: 'acked', body: body && Object.keys(body).length > 0 ? body : undefined }
    })
    return withinLimit(answer, workspace.settings.ackTimeoutMs)
  }

  function choose(which: number | 'random'): Connection {
    const index = which === 'random' ? Math.floor(Math.random() * connections.length) : which
    const connection = connections[index]
    if (!connection) throw new Error(`There is no socket ${index}; ${connections.length} are open.`)
    return connection
  }

  function count(): number {
    return connections.filter((one) => one.isOpen() && !one.isRetiring()).length
  }

  function connected(wanted = 1): Promise<void> {
    return new Promise((resolve) => {
      function look(): void {
        if (count() < wanted) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })
  }

  async function stop(): Promise<void> {
    clearInterval(pinging)
    await Promise.all(connections.map((one) => one.close()))
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  return {
    upgrade,
    send,
    sendAgain,
    get sent() {
      return sent.map((one) => one.delivery)
    },
    count,
    connected,
    refresh: (which = 'random', graceMs = 0) => choose(which).refresh(graceMs),
    drop: (which = 'random') => choose(which).drop(),
    stop,
  }
}
