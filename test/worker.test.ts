import { expect, onTestFinished, test, vi } from 'vitest'
import { createTime } from '../src/clock.ts'
import { Newer } from '../src/core/model/formats.ts'
import { roundFor, startRounds } from '../src/worker.ts'

test.each([
  ['fails', new Error('no')],
  ['is of a newer version', new Newer('The record is newer.')],
])('A round that %s is logged for each project by its name', async (_, error) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const said: object[] = []
  const failing = new Set(['alpha'])
  const rounds = ['alpha', 'beta'].map((project) =>
    roundFor(project)('sweeping failed', 1_000, 'later', async () => {
      if (failing.has(project)) throw error
    }),
  )
  const running = startRounds(rounds, createTime(undefined), { warn: (fields: object) => void said.push(fields) })
  await vi.advanceTimersByTimeAsync(2_000)
  failing.add('beta')
  await vi.advanceTimersByTimeAsync(3_000)
  await running.stop()
  expect(said).toMatchObject([{ project: 'alpha' }, { project: 'beta' }])
  expect(said).toHaveLength(2)
})
