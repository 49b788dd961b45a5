import { createConnection } from 'node:net'

/**
 * Calls `heard` at every command that Redis receives. The Redis inside this process reports none; then, and once Redis
 * is gone, `heard` is never called.
 */
export function overhear(url: string, heard: () => void): { stop(): Promise<void> } {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) }, () => void socket.write('MONITOR\r\n'))
  socket.on('data', heard)
  socket.on('error', () => undefined)
  socket.unref()
  return {
    async stop() {
      socket.destroy()
    },
  }
}
