import { ping } from './ping.ts'
import type { RunningRedis } from './rung.ts'

/** Returns a Redis that somebody else runs. Throws a sentence if the URL is missing, unreadable, or silent for 3 s. */
export async function useGiven(url: string | undefined): Promise<RunningRedis> {
  if (!url) throw new Error('REDIS_URL is not set. Set it to something like redis://127.0.0.1:6379.')
  const place = URL.canParse(url) ? new URL(url).host : ''
  if (!place) throw new Error('REDIS_URL cannot be read. Write it like redis://127.0.0.1:6379.')
  try {
    await ping(url, 3_000)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    throw new Error(`The Redis at ${place} (REDIS_URL) does not answer: ${said}. Start it, or unset REDIS_URL.`)
  }
  return { url, kind: 'given', note: `Redis at ${place}, from REDIS_URL`, server: null, stop: () => Promise.resolve() }
}
