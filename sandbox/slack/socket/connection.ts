import type { WebSocket } from 'ws'
import { isObject, type JsonObject, objectAt, parseJson, textAt } from '../json.ts'

/** ms that the other side gets to say goodbye before it is cut off. */
const goodbyeMs = 250

/** One open socket to the app. */
export interface Connection {
  isOpen(): boolean
  /** True once the app was asked to reconnect: this socket is then used only if there is no other. */
  isRetiring(): boolean
  /** Sends an envelope; resolves to the payload of its ack, if that arrives over this same socket. */
  deliver(envelope: JsonObject): Promise<JsonObject | undefined>
  /** Sends a frame without waiting for an ack. */
  say(frame: JsonObject): void
  /** Asks the app to reconnect, as Slack does every few hours, and closes after twice `graceMs`. */
  refresh(graceMs: number): Promise<void>
  ping(): void
  drop(): void
  close(): Promise<void>
}

export function createConnection(socket: WebSocket): Connection {
  const waiting = new Map<string, (body: JsonObject | undefined) => void>()
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let retiring = false
  socket.on('error', () => socket.terminate())
  socket.on('message', (data: Buffer) => {
    const message = parseJson(data.toString())
    const id = isObject(message) ? textAt(message, 'envelope_id') : undefined
    if (!isObject(message) || id === undefined) return
    waiting.get(id)?.(objectAt(message, 'payload'))
    waiting.delete(id)
  })

  function deliver(envelope: JsonObject): Promise<JsonObject | undefined> {
    return new Promise((resolve) => {
      waiting.set(textAt(envelope, 'envelope_id') ?? '', resolve)
      say(envelope)
    })
  }

  function say(frame: JsonObject): void {
    if (isOpen()) socket.send(JSON.stringify(frame))
  }

  async function refresh(graceMs: number): Promise<void> {
    retiring = true
    for (const reason of ['warning', 'refresh_requested']) {
      say({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } })
      await Promise.race([closed, pause(graceMs)])
    }
    await close()
  }

  async function close(): Promise<void> {
    socket.close(1000)
    const timer = setTimeout(() => socket.terminate(), goodbyeMs)
    await closed
    clearTimeout(timer)
  }

  function isOpen(): boolean {
    return socket.readyState === socket.OPEN
  }

  return {
    isOpen,
    isRetiring: () => retiring,
    deliver,
    say,
    refresh,
    ping: () => socket.ping(),
    drop: () => socket.terminate(),
    close,
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
