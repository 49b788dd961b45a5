import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range that systems use for outgoing connections (from 32768 on Linux, 49152 elsewhere). Thus no outgoing
// connection takes the port of a killed server before its restart, and a client that keeps trying a closed port cannot
// connect to itself.
const lowest = 20_000
const highest = 32_000

/** Returns a loopback port that is free now and that outgoing connections don't use. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
  throw new Error(`No free port between ${lowest} and ${highest} on 127.0.0.1.`)
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
