import { createConnection } from 'node:net'

/**
 * Calls `heard` whenever anybody asks Redis for anything. Where Redis does not tell, as the one within this process, or
 * is gone, it is never called again.
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
