import { Redis } from 'ioredis'
import { startRedis } from '../../sandbox/redis/ladder.ts'

// Started and killed by redis.test.ts: prints which server it owns, then waits to be killed.
const { url, server } = await startRedis({ own: true })
const redis = new Redis(url)
const [, directory] = (await redis.config('GET', 'dir')) as string[]
redis.disconnect()
process.stdout.write(`${JSON.stringify({ pid: server?.pid(), directory })}\n`)
setInterval(() => {}, 60_000)
