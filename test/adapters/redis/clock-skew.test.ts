import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchSkew } from '../../../src/adapters/redis/connection/connect.ts'

const heard: string[] = []
const log = { info() {}, error() {}, warn: ({ err }: { err?: unknown }) => void heard.push(String(err)) }
/** Redis' clock minus ours, and how long Redis freezes after it has read its clock; both in ms. */
const far = { off: 0, frozen: 0 }
const redis = {
  async time(): Promise<[number, number]> {
    const now = Date.now() + far.off
    await new Promise((resolve) => setTimeout(resolve, far.frozen))
    return [Math.floor(now / 1000), (now % 1000) * 1000]
  },
}

beforeEach(() => {
  vi.useFakeTimers()
  heard.length = 0
})
afterEach(() => vi.useRealTimers())

describe('The clock difference between this machine and Redis', () => {
  test('keeps its last good measurement when an answer is slow', async () => {
    Object.assign(far, { off: 300, frozen: 0 })
    const watching = watchSkew(redis, log)
    await vi.advanceTimersByTimeAsync(1)
    const skew = await watching
    far.frozen = 7_800
    await vi.advanceTimersByTimeAsync(70_000)
    expect([skew.ms(), heard]).toEqual([300, []])
    skew.stop()
  })

  test('is logged when it is larger than a slow answer explains', async () => {
    Object.assign(far, { off: 0, frozen: 0 })
    const watching = watchSkew(redis, log)
    await vi.advanceTimersByTimeAsync(1)
    const skew = await watching
    Object.assign(far, { off: 60_000, frozen: 7_800 })
    await vi.advanceTimersByTimeAsync(70_000)
    expect(heard.join()).toContain('Sync both with NTP')
    skew.stop()
  })
})
