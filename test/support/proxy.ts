import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../sandbox/redis/port.ts'

export type Direction = 'requests' | 'replies'
const both: readonly Direction[] = ['requests', 'replies']

/** A TCP proxy with which a test plays a bad network. */
export interface Wire {
  readonly port: number
  /** Ends every fault. Held bytes go through now, as TCP would resend them. */
  pass(): Promise<void>
  /** Delays every byte by `ms`, in both directions by default. */
  delay(ms: number, ...directions: Direction[]): void
  /** Passes nothing without an error, in both directions by default. */
  hold(...directions: Direction[]): void
  /** Silently stops open connections for good. New ones work. */
  deafen(): void
  /** Ends open connections by RST. New ones work. */
  reset(): void
  /** Sends new connections to another port. Open ones stay. */
  point(port: number): void
  /** Ends open connections by RST and refuses new ones until pass(). */
  cut(): Promise<void>
  /**
   * Loses the `nth` reply from now: the request arrives, and the connection ends by RST instead of the reply. With
   * `to`, only replies to requests that contain that text count, ignoring case; requests in one write count as one.
   * Resolves when it has happened. Await it, so that a fault that never occurs fails the test.
   */
  readonly loseReply: (nth?: number, to?: string) => Promise<void>
  readonly stop: () => Promise<void>
}

interface Loss {
  left: number
  readonly to: string
  readonly happened: () => void
}

interface Weather {
  readonly late: Record<Direction, number>
  /** Promises that resolve when a held direction opens; other directions have none. */
  readonly held: Partial<Record<Direction, PromiseWithOpen>>
  loss: Loss | null
}

interface PromiseWithOpen {
  readonly opened: Promise<void>
  open(): void
}

/** `first`: the port to connect to at first. */
export async function startProxy(first: number, host = '127.0.0.1'): Promise<Wire> {
  let port = first
  const weather: Weather = { late: { requests: 0, replies: 0 }, held: {}, loss: null }
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port, host, allowHalfOpen: true })
    join(client, upstream, weather)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
  })
  const own = await freePort()
  await listen(server, own)

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  async function cut(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    reset()
    await closed
  }
  function clear(): void {
    weather.late.requests = weather.late.replies = 0
    weather.loss = null
    for (const direction of both) {
      weather.held[direction]?.open()
      delete weather.held[direction]
    }
  }

  return {
    port: own,
    deafen() {
      for (const socket of sockets) socket.pause()
    },
    point(next) {
      port = next
    },
    reset,
    cut,
    async pass() {
      clear()
      if (!server.listening) await listen(server, own)
    },
    delay(ms, ...directions) {
      for (const direction of directions.length > 0 ? directions : both) weather.late[direction] = ms
    },
    hold(...directions) {
      for (const direction of directions.length > 0 ? directions : both) weather.held[direction] ??= gate()
    },
    loseReply(nth = 1, to = '') {
      return new Promise((happened) => {
        weather.loss = { left: nth, to: to.toLowerCase(), happened }
      })
    },
    async stop() {
      await cut()
      clear()
    },
  }
}

function join(client: Socket, upstream: Socket, weather: Weather): void {
  let asked = false
  carry(client, upstream, 'requests', weather, (bytes) => {
    asked ||= weather.loss !== null && bytes.toString('latin1').toLowerCase().includes(weather.loss.to)
    return true
  })
  carry(upstream, client, 'replies', weather, () => {
    if (!asked || !weather.loss) return true
    asked = false
    weather.loss.left -= 1
    if (weather.loss.left > 0) return true
    const { happened } = weather.loss
    weather.loss = null
    client.resetAndDestroy()
    happened()
    return false
  })
}

/** Forwards bytes in order, each delayed as set on its arrival, unless `look` says that they are lost. */
function carry(from: Socket, to: Socket, way: Direction, weather: Weather, look: (bytes: Buffer) => boolean): void {
  let turn = Promise.resolve()
  function then(deliver: () => void): void {
    const due = performance.now() + weather.late[way]
    turn = turn.then(async () => {
      const wait = due - performance.now()
      if (wait > 0) await sleep(wait)
      await weather.held[way]?.opened
      if (!to.destroyed) deliver()
    })
  }
  from.on('data', (bytes: Buffer) => {
    if (look(bytes)) then(() => to.write(bytes))
  })
  from.on('end', () => then(() => to.end()))
  from.on('error', () => to.resetAndDestroy())
  from.on('close', (failed) => {
    if (failed) to.resetAndDestroy()
  })
}

function gate(): PromiseWithOpen {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
