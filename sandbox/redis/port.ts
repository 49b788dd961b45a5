import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range that systems use for outgoing connections (from 32768 on Linux, 49152 elsewhere). Thus no outgoing
// connection takes the port of a killed server before its restart, and a client that keeps trying a closed port cannot
// connect to itself.
const lowest = 20_000
const count = 1_500
const given = new Set<number>()

/** Returns a loopback port that is free now, that outgoing connections don't use, and that it has not returned before. */
export async function freePort(): Promise<number> {
  // Each worker of the tests has ports of its own. Otherwise one takes a port that another has closed to play an outage.
  const first = lowest + count * (Number(process.env['VITEST_POOL_ID'] ?? 0) % 8)
  for (let tries = 0; tries < 50; tries += 1) {
    const port = first + Math.floor(Math.random() * count)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`No free port between ${first} and ${first + count} on 127.0.0.1.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}
