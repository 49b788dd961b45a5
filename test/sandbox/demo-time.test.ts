import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { overhear } from '../../sandbox/demo/overhear.ts'
import { createPulse } from '../../sandbox/demo/pulse.ts'
import { strideAfter } from '../../sandbox/demo/stride.ts'
import { type MovableClock, movableClock } from '../../sandbox/demo/time.ts'
import { startRedis } from '../../sandbox/redis/ladder.ts'
import { ping } from '../../sandbox/redis/ping.ts'

const minute = 60_000
const quarter = 15 * minute

let folder: string
let time: MovableClock
/** The time at each rest, ms since 1970. */
let rests: number[]
let onRest: () => void
/** `onSetOut` is called when time starts to move; `named` is another instant at which it stops. */
let onSetOut: (far: boolean) => void
let named: number
/** The reason to stop if nobody looks. */
let alone: string | undefined

beforeEach(async () => {
  // Four minutes before a quarter of an hour, where time stops as well.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 5, 9, 11) })
  folder = await mkdtemp(join(tmpdir(), 'clock-'))
  rests = []
  onRest = () => undefined
  onSetOut = () => undefined
  named = Number.POSITIVE_INFINITY
  alone = undefined
  time = movableClock(join(folder, 'clock'), {
    async rest() {
      rests.push(time.clock.now())
      onRest()
      return alone
    },
    setOut: (far) => onSetOut(far),
    stride: () => quarter,
    next: (now) => (named > now ? named : Number.POSITIVE_INFINITY),
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true })
})

describe('fast-forwarded time', () => {
  test('moves as far as requested and writes its offset to the file', async () => {
    const before = Date.now()
    await time.pass(125)
    const offset = Number(await readFile(time.file, 'utf8'))
    expect(offset).toBe(125 * minute)
    expect(time.clock.now()).toBe(before + offset)
    expect(time.moving()).toBe(false)
  })

  test('is done once the product has confirmed the last move', async () => {
    await time.pass(10)
    expect(time.isDone()).toBe(false)
    await writeFile(`${time.file}.done`, String(10 * minute))
    expect(time.isDone()).toBe(true)
    await time.pass(1)
    expect(time.isDone()).toBe(false)
  })

  test('rests at every quarter of an hour', async () => {
    await time.pass(60)
    const at = (hour: number, minutes: number) => Date.UTC(2026, 0, 5, hour, minutes)
    expect(rests).toEqual([at(9, 15), at(9, 30), at(9, 45), at(10, 0), at(10, 11)])
  })

  test('runs until it is halted, and returns the reason', async () => {
    onRest = () => rests.length === 3 && time.halt('Somebody has a question.')
    expect(await time.pass(Number.POSITIVE_INFINITY)).toBe('Somebody has a question.')
    expect(rests).toHaveLength(3)
    expect(time.moving()).toBe(false)
  })

  test('waits at a question until somebody lets it continue, and shows the reason', async () => {
    onRest = () => void (rests.length === 2 && time.wait('Somebody has a question.'))
    const flying = time.pass(Number.POSITIVE_INFINITY)
    await until(() => time.waiting() !== undefined)
    expect(time.waiting()).toMatchObject({ why: 'Somebody has a question.', goesOnAfter: undefined })
    const there = Number(await readFile(time.file, 'utf8'))
    await turns(20)
    expect(Number(await readFile(time.file, 'utf8'))).toBe(there)
    expect(time.moving()).toBe(true)
    onRest = () => rests.length === 4 && time.halt()
    time.goOn()
    expect(time.waiting()).toBe(undefined)
    await flying
    expect(rests).toHaveLength(4)
  })

  test('stays where it waits if it is halted there', async () => {
    onRest = () => void time.wait('Somebody has a question.')
    const flying = time.pass(Number.POSITIVE_INFINITY)
    await until(() => time.waiting() !== undefined)
    time.halt()
    expect(await flying).toBe(undefined)
    expect([time.moving(), time.waiting(), rests.length]).toEqual([false, undefined, 1])
  })

  test('does not wait if it is not moving or has arrived', async () => {
    expect(await time.wait('Somebody has a question.')).toBe(false)
    expect(time.waiting()).toBe(undefined)
    let waited: Promise<boolean> | undefined
    onRest = () => {
      waited = time.wait('Somebody has a question.')
    }
    await time.pass(1)
    expect(time.waiting()).toBe(undefined)
    expect(await waited).toBe(false)
  })

  test('rests at a named instant and continues from there', async () => {
    named = Date.now() + 2 * quarter + 1_234
    await time.pass(60)
    expect(rests).toContain(named)
    expect(rests.filter((one) => one > named).length).toBeGreaterThanOrEqual(2)
  })

  test('can be held before it moves when it sets out on a long way', async () => {
    const before = Number(await readFile(time.file, 'utf8'))
    const waits: Promise<boolean>[] = []
    onSetOut = (far) => far && void waits.push(time.wait('Somebody has a question.', 6))
    await time.pass(1)
    expect(waits).toEqual([])
    const flying = time.pass(Number.POSITIVE_INFINITY)
    expect(time.waiting()?.goesOnAfter).toBe(6)
    await turns(20)
    expect(Number(await readFile(time.file, 'utf8'))).toBe(before + minute)
    onRest = () => time.halt()
    time.goOn()
    await flying
    expect(await waits[0]).toBe(true)
  })

  test('stops if nobody looks', async () => {
    alone = 'Nobody looks.'
    expect(await time.pass(Number.POSITIVE_INFINITY)).toBe('Nobody looks.')
    expect(rests).toHaveLength(1)
  })

  test('follows only the latest press', async () => {
    const flying = time.pass(Number.POSITIVE_INFINITY)
    await time.pass(30)
    expect(await flying).toBe(undefined)
    expect(time.moving()).toBe(false)
  })

  test('is not stopped by a halt from before it started', async () => {
    time.halt('Somebody has a question.')
    expect(await time.pass(10)).toBe(undefined)
  })
})

test('Time is slow right after a change or a press, faster later and fastest at night', () => {
  const now = Date.UTC(2026, 0, 5, 9)
  const long = now - 150 * minute
  const stride = (changed: number, handled: number, at = now) => strideAfter({ changed, handled }, at, 'Europe/Madrid')
  expect(stride(now - 5_000, now)).toBe(10_000)
  expect(stride(long, now)).toBe(minute)
  expect(stride(long, now - 4 * minute)).toBe(5 * minute)
  expect(stride(now - 90 * minute, long)).toBe(quarter)
  expect(stride(long, long)).toBe(2 * quarter)
  expect(stride(0, 0, Date.UTC(2026, 0, 4, 22, 30))).toBe(2 * quarter)
  expect(stride(0, 0, Date.UTC(2026, 0, 4, 23))).toBe(4 * quarter)
  expect(stride(0, 0, Date.UTC(2026, 0, 5, 5))).toBe(2 * quarter)
})

describe('the pulse of the product', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Plays what the product asks for, ms after the move; returns whether it has rested at each of `looks`. */
  async function restedAt(
    asked: readonly (readonly [at: number, what: 'beat' | 'murmur', more?: number])[],
    looks: readonly number[],
    doneAt = 20,
  ) {
    let isDone = false
    const pulse = createPulse(() => isDone)
    setTimeout(() => {
      isDone = true
    }, doneAt)
    let rested: string | undefined | null = null
    void pulse.rest().then((says) => {
      rested = says
    })
    for (const [at, what, more] of asked) setTimeout(() => pulse[what](more), at)
    const seen = []
    let now = 0
    for (const at of looks) {
      await vi.advanceTimersByTimeAsync(at - now)
      now = at
      seen.push(rested !== null)
    }
    return { seen, says: rested }
  }

  test('rests after a silence half as long again as any before', async () => {
    const { seen, says } = await restedAt(
      [
        [40, 'beat'],
        [60, 'murmur'],
        [100, 'beat'],
      ],
      [90, 150, 180],
    )
    expect(seen).toEqual([false, false, true])
    expect(says).toBe(undefined)
  })

  test('does not rest while more may follow from what was asked', async () => {
    const { seen } = await restedAt(
      [
        [40, 'beat', 150],
        [180, 'beat', 500],
        [650, 'beat'],
      ],
      [170, 640, 1_280],
    )
    expect(seen).toEqual([false, false, true])
  })

  test('does not rest while a request is in hand, however quiet it is', async () => {
    let isBusy = true
    const pulse = createPulse(
      () => true,
      async () => isBusy,
    )
    let hasRested = false
    void pulse.rest().then(() => {
      hasRested = true
    })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(hasRested).toBe(false)
    isBusy = false
    await vi.advanceTimersByTimeAsync(20)
    expect(hasRested).toBe(true)
  })

  test('waits ten times longer if everything takes ten times longer', async () => {
    const { seen } = await restedAt(
      [
        [400, 'beat'],
        [600, 'murmur'],
        [1_000, 'beat'],
      ],
      [990, 1_590, 1_620],
      1_000,
    )
    expect(seen).toEqual([false, false, true])
  })

  test('does not rest before the product is done, however quiet it is', async () => {
    const { seen } = await restedAt(
      [
        [20, 'beat'],
        [30, 'beat'],
        [15_000, 'beat'],
      ],
      [14_900, 29_900, 30_700],
      30_000,
    )
    expect(seen).toEqual([false, false, true])
  })

  test('ends in a sentence if the product is neither done nor asking for anything', async () => {
    const { seen, says } = await restedAt([[20, 'murmur']], [19_000, 21_000], 60_000)
    expect(seen).toEqual([false, true])
    expect(says).toMatch(/^The clock stopped: /)
  })
})

describe('Listening to Redis', () => {
  test('reports that commands arrive, until it is stopped', async () => {
    const redis = await startRedis()
    let heard = 0
    const ear = overhear(redis.url, () => {
      heard += 1
    })
    await until(async () => {
      await ping(redis.url, 5_000)
      return heard > 1
    })
    await ear.stop()
    const before = heard
    await ping(redis.url, 5_000)
    expect(heard).toBe(before)
    await redis.stop()
  })

  test('does not disturb a Redis that can’t report commands', async () => {
    const redis = await startRedis({ rung: 'in-process' })
    const ear = overhear(redis.url, () => undefined)
    await ping(redis.url, 5_000)
    await ear.stop()
    await ping(redis.url, 5_000)
    await redis.stop()
  })
})

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await turns(1)
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
