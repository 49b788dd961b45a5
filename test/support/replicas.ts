import { Redis } from 'ioredis'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import { freePort } from '../../sandbox/redis/port.ts'
import type { RedisOptions } from '../../sandbox/redis/rung.ts'
import type { RedisServer } from '../../sandbox/redis/server.ts'

/** A real server that a test may break, with a connection to it. */
export interface Node {
  readonly server: RedisServer
  readonly port: number
  readonly redis: Redis
  stop(): Promise<void>
}

/** Starts a server. Returns null and prints why on a machine that has only the Redis inside the process. */
export async function startNode(options: Omit<RedisOptions, 'own'> = {}): Promise<Node | null> {
  const settings = options.sentinel === true ? {} : { 'repl-diskless-sync-delay': '0', ...options.settings }
  const running = await startRedis({ ...options, settings, own: true }).catch((error: unknown) => {
    process.stderr.write(`Not tested here, for want of a real Redis: ${String(error)}\n`)
    return null
  })
  if (running?.server == null) return null
  const { server, stop } = running
  const redis = new Redis(server.url)
  redis.on('error', () => undefined)
  return {
    server,
    port: server.port,
    redis,
    async stop() {
      redis.disconnect()
      await stop()
    },
  }
}

/** Starts a master and a replica that is in sync. */
export async function startPair(): Promise<readonly [Node, Node] | null> {
  const master = await startNode()
  const replica = master && (await startNode())
  if (!master || !replica) {
    await master?.stop()
    return null
  }
  await follow(replica, master)
  return [master, replica]
}

/** Starts a master, its replica, and a Sentinel that calls them `lamps`; `url` is their address. */
export async function startWatched(): Promise<{
  readonly url: string
  readonly master: Node
  readonly replica: Node
  stop(): Promise<void>
} | null> {
  const pair = await startPair()
  const sentinel = pair && (await startNode({ sentinel: true }))
  if (!pair || !sentinel) return null
  const [master, replica] = pair
  await sentinel.redis.call('SENTINEL', 'MONITOR', 'lamps', '127.0.0.1', master.port, 1)
  await sentinel.redis.call('SENTINEL', 'SET', 'lamps', 'down-after-milliseconds', 500, 'failover-timeout', 3_000)
  await until(async () => ((await sentinel.redis.call('SENTINEL', 'REPLICAS', 'lamps')) as unknown[]).length === 1)
  return {
    url: `redis+sentinel://127.0.0.1:${sentinel.port}/lamps`,
    master,
    replica,
    stop: async () => void (await Promise.all([sentinel, replica, master].map((node) => node.stop()))),
  }
}

/** Starts three nodes that share the slots of a cluster; `url` is their address. */
export async function startCluster(): Promise<{
  readonly url: string
  readonly nodes: readonly Node[]
  stop(): Promise<void>
} | null> {
  const nodes: Node[] = []
  for (const [first, last] of [
    [0, 5_460],
    [5_461, 10_922],
    [10_923, 16_383],
  ] as const) {
    const bus = await freePort()
    const node = await startNode({ settings: { 'cluster-enabled': 'yes', 'cluster-port': String(bus) } })
    if (node === null) return null
    await node.redis.call('CLUSTER', 'ADDSLOTSRANGE', first, last)
    for (const other of nodes.slice(0, 1)) await other.redis.call('CLUSTER', 'MEET', '127.0.0.1', node.port, bus)
    nodes.push(node)
  }
  for (const { redis } of nodes)
    await until(async () => /^cluster_state:ok\r?$/m.test(String(await redis.call('CLUSTER', 'INFO'))))
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Makes a node the replica of a master, and waits until it is in sync. */
export async function follow(replica: Node, master: Node): Promise<void> {
  await replica.redis.replicaof('127.0.0.1', master.port)
  await until(async () => /^master_link_status:up\r?$/m.test(await replica.redis.info('replication')))
}
