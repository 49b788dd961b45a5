import { describe, expect, test } from 'vitest'
import type { Segment, Use } from '../../../src/core/model/reading.ts'
import { useText } from '../../../src/features/idle/usage.ts'

const [minute, hour] = [60_000, 3_600_000]
const evidence = { servers: ['vLLM'], requests: 0, open: 0, replicas: 2, seen: 2, logs: 0 }

function used(
  state: Segment['state'],
  why: string,
  more: Partial<Omit<Use, 'last'>> = {},
): Use & { readonly last: Segment } {
  const last = { state, why, evidence, from: 0, to: hour }
  return { last, quietMs: 42 * minute, clock: { forMs: 42 * minute, unknown: 0 }, idleMs: hour, ...more }
}

const watched = { mode: 'on', spared: null, earlyRestarts: 0 } as const

describe('What is said of use', () => {
  test.each([
    [undefined, 'In use: 2 requests are running or waiting.'],
    [watched, 'In use: 2 requests are running or waiting. Its idle watch stops it after 1 h of known quiet.'],
    [
      { ...watched, mode: 'try' },
      'In use: 2 requests are running or waiting. Its idle watch only tries: it would be stopped after 1 h of known quiet.',
    ],
    [
      { ...watched, spared: 'it is protected' },
      'In use: 2 requests are running or waiting. Its idle watch rests, as it is protected.',
    ],
  ] as const)('names the watch of what is in use: %j', (by, says) => {
    expect(useText(used('busy', '2 requests are running or waiting', by && { watched: by }))).toBe(says)
  })

  test('names it where nothing is known, and what would make it known where replicas cannot be told apart', () => {
    const use = used('unknown', 'nobody has looked yet', { watched })
    expect(useText(use)).toBe(
      'Whether it is used is not known: nobody has looked yet. While that is so, it is not stopped for idleness. Its idle watch stops it after 1 h of known quiet.',
    )
    const apart = useText({ ...use, last: { ...use.last, evidence: { ...evidence, seen: 0 } } })
    expect(apart).toContain('Metrics that hold process_start_time_seconds tell replicas apart')
  })

  test('names the watch of what is stopped', () => {
    const stopped = (by: Use['watched']) => useText({ ...used('quiet', ''), last: null, ...(by && { watched: by }) })
    expect(stopped(watched)).toBe('Once it is up, its idle watch stops it after 1 h of known quiet.')
    expect(stopped({ ...watched, spared: 'it is protected' })).toBe('Its idle watch rests, as it is protected.')
  })

  test('tells how much of the quiet counts, also when none of it does yet', () => {
    const quiet = (forMs: number) =>
      useText(used('quiet', 'no counter moved', { watched, clock: { forMs, unknown: 0 } }))
    expect(quiet(42 * minute)).toBe('Quiet for 42 min: no counter moved, vLLM metrics; stopped after 1 h.')
    expect(quiet(20 * minute)).toContain('; stopped after 1 h, of which 20 min have passed.')
    expect(quiet(0)).toContain('; stopped after 1 h, of which none has passed yet.')
  })
})
