import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPulse } from '../../src/sandbox/demo/pulse.ts'
import { strideAfter } from '../../src/sandbox/demo/stride.ts'
import { type MovableClock, movableClock } from '../../src/sandbox/demo/time.ts'

const minute = 60_000
const quarter = 15 * minute

let folder: string
let time: MovableClock
/** What time it was at each rest. */
let rests: number[]
let onRest: () => void

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clock-'))
  rests = []
  onRest = () => undefined
  time = movableClock(join(folder, 'clock'), {
    async rest() {
      rests.push(time.clock.now())
      onRest()
    },
    stride: () => quarter,
  })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('time that flies', () => {
  test('passes as far as it was told to, and says so in the file', async () => {
    const before = Date.now()
    await time.pass(125)
    const offset = Number(await readFile(time.file, 'utf8'))
    expect(offset).toBe(125 * minute)
    expect(time.clock.now()).toBeGreaterThanOrEqual(before + offset)
    expect(time.moving()).toBe(false)
  })

  test('stops on the way at every whole quarter of an hour, and lets everybody look', async () => {
    await time.pass(60)
    // Real time goes on while somebody looks.
    for (const at of rests.slice(0, -1)) expect(at % quarter).toBeLessThan(minute)
    expect(rests.length).toBeGreaterThanOrEqual(4)
  })

  test('flies until it is halted, and says why', async () => {
    onRest = () => rests.length === 3 && time.halt('Somebody has a question.')
    expect(await time.pass(Number.POSITIVE_INFINITY)).toBe('Somebody has a question.')
    expect(rests).toHaveLength(3)
    expect(time.moving()).toBe(false)
  })

  test('is moved by the latest press alone', async () => {
    const flying = time.pass(Number.POSITIVE_INFINITY)
    await time.pass(30)
    expect(await flying).toBe(undefined)
    expect(time.moving()).toBe(false)
  })

  test('is not held up by a halt of something that is over', async () => {
    time.halt('Somebody has a question.')
    expect(await time.pass(10)).toBe(undefined)
  })
})

test('Time goes slowly right after a change and carefully after a question', () => {
  const now = Date.UTC(2026, 0, 5, 9)
  const long = now - 90 * minute
  expect(strideAfter({ changed: now - 5_000, asked: now }, now)).toBe(10_000)
  expect(strideAfter({ changed: long, asked: now - 30 * minute }, now)).toBe(quarter)
  expect(strideAfter({ changed: long, asked: long }, now)).toBe(2 * quarter)
})

test('Everybody rests until the product has begun to look and is quiet again', async () => {
  const pulse = createPulse()
  let rested = false
  const rest = pulse.rest().then(() => {
    rested = true
  })
  for (let beats = 0; beats < 5; beats += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    pulse.beat()
    expect(rested).toBe(false)
  }
  await rest
})
