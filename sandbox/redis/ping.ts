import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** Connects, pings, hangs up. Throws what the server or the network said, within `limitMs`. */
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

/** Waits until a server just started answers. Throws the last refusal after `limitMs`, or at once when `signal` aborts. */
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
