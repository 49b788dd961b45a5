import { startProxy, type Wire } from './proxy.ts'

/** The product's connections, which a test can break. */
export interface Wires {
  readonly redis: Wire
  readonly platform: Wire
}

export async function wiresTo(redisUrl: string, platformUrl: string): Promise<Wires> {
  const [redis, platform] = await Promise.all([wireTo(redisUrl), wireTo(platformUrl)])
  return { redis, platform }
}

/** Returns the address through a wire. */
export function through({ port }: Wire, address: string): string {
  const url = new URL(address)
  url.host = `127.0.0.1:${port}`
  return url.href
}

function wireTo(address: string): Promise<Wire> {
  const { port, hostname } = new URL(address)
  return startProxy(Number(port || 6379), hostname)
}
