import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** Connects, pings and hangs up. Throws the error of the server or the network, within `limitMs`. */
export async function ping(url: string, limitMs: number): Promise<void> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: limitMs,
    commandTimeout: limitMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let heard: unknown
  client.on('error', (error: unknown) => {
    heard = error
  })
  try {
    await client.connect()
    await client.ping()
  } catch (error) {
    // connect() only says "Connection is closed"; the event before it says why.
    throw heard ?? error
  } finally {
    client.disconnect()
  }
}

/** Waits until a newly started server answers. Throws the last error after `limitMs`, or at once if `signal` aborts. */
export async function untilAnswers(url: string, limitMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + limitMs
  for (;;) {
    signal.throwIfAborted()
    try {
      return await ping(url, 1_000)
    } catch (error) {
      if (performance.now() > end) throw error
      await sleep(15)
    }
  }
}
