import { expect, onTestFinished, test, vi } from 'vitest'
import type { MeteredProject } from '../../src/core/ports/meter.ts'
import { createMetrics } from '../../src/ops/metrics.ts'

const well = { ready: true, checks: { storage: { ok: true } } } as const

function gauged(part: Partial<MeteredProject>) {
  const { registry, gauges, project } = createMetrics()
  const of = (project: string, more: Partial<MeteredProject> = {}): MeteredProject => ({
    project,
    policyVersion: () => 'v1',
    depths: async () => ({ changes: 3 }),
    tickedAgo: async () => 5_000,
    ...more,
  })
  project(of('a', part))
  project(of('b'))
  const text = () => registry.metrics()
  return { gauges, text }
}

const queueOf = (project: string) => `lamplighter_queue_depth{project="${project}",queue="changes"} 3`

test('a reading that hangs or fails is left out and delays no other', async () => {
  for (const depths of [() => new Promise<never>(() => undefined), () => Promise.reject(new Error('away'))]) {
    const { gauges, text } = gauged({ depths })
    await gauges.read(well)
    expect(await text()).not.toContain(queueOf('a'))
    expect(await text()).toContain(queueOf('b'))
  }
})

test('the series of the alert rules exist before their first event', async () => {
  const { text } = gauged({})
  expect(await text()).toContain('lamplighter_limits_hit_total{project="a",limit="person"} 0')
  expect(await text()).toContain('lamplighter_unstored_total{project="b",why="full"} 0')
})

test('a reading is reused for a while, however often it is asked for', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const depths = vi.fn(async () => ({ changes: 3 }))
  const { gauges, text } = gauged({ depths })
  for (let looks = 0; looks < 5; looks += 1) await gauges.read(well)
  expect(depths).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(2_000)
  await gauges.read(well)
  expect(depths).toHaveBeenCalledTimes(2)
  expect(await text()).toContain(queueOf('a'))
})

test('an old reading expires when nothing answers any more', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let answers = true
  const { gauges, text } = gauged({
    depths: () => (answers ? Promise.resolve({ changes: 3 }) : new Promise<never>(() => undefined)),
  })
  const look = async () => {
    const read = gauges.read(well)
    await vi.advanceTimersByTimeAsync(1_500)
    await read
    return text()
  }
  await look()
  answers = false
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await look()).toContain(queueOf('a'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await look()).not.toContain(queueOf('a'))
})

test('storage is not read while it is down, and unknown values are left out', async () => {
  const depths = vi.fn(async () => ({ changes: 3 }))
  const { gauges, text } = gauged({ depths })
  await gauges.read({ ready: false, checks: { storage: { ok: false, why: 'away' }, rules: { ok: null } } })
  expect(depths).not.toHaveBeenCalled()
  expect(await text()).toContain('lamplighter_fault{check="storage"} 1')
  expect(await text()).not.toMatch(/^lamplighter_(queue|fault\{check="rules")/m)
})
