import { once } from 'node:events'
import type { RedisOptions, RunningRedis } from './rung.ts'

/**
 * Starts a Redis written in JavaScript inside this process, for machines without another. Other processes reach it over
 * TCP. It keeps nothing, and is 10 to 100 times slower than the real one.
 */
export async function startInProcess({ sentinel, settings }: RedisOptions): Promise<RunningRedis> {
  if (sentinel || settings) throw new Error('the one inside this process has neither settings nor a Sentinel')
  const { RedisServerState, Resp2Server, createRedisCommandExecutor } = await import('js-redis-server/core')
  const state = new RedisServerState({ databaseCount: 16 })
  const { server } = new Resp2Server({ server: state, executor: createRedisCommandExecutor() })
  // Its own listen() would open the port to the whole network.
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the in-process Redis got no port')

  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    url: `redis://127.0.0.1:${address.port}`,
    kind: 'in-process',
    note: 'IN MEMORY ONLY: a Redis inside this process; all is lost when it ends. Install redis or valkey for a real one',
    server: null,
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
      state.close()
    },
  }
}
