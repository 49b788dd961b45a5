import { describe, expect, test } from 'vitest'
import type { Segment, Use } from '../../../src/core/model/reading.ts'
import { say, type Words } from '../../../src/core/model/words.ts'
import { instant } from '../../../src/core/time/format.ts'
import { useText } from '../../../src/features/idle/usage.ts'
import { english } from '../../support/words.ts'

const [minute, hour] = [60_000, 3_600_000]
const evidence = { servers: ['vLLM'], requests: 0, open: 0, replicas: 2, seen: 2, logs: 0 }

function used(
  state: Segment['state'],
  why: Words,
  more: Partial<Omit<Use, 'last'>> = {},
): Use & { readonly last: Segment } {
  const last = { state, why, evidence, from: 0, to: hour }
  return {
    last,
    quietMs: 42 * minute,
    clock: { since: 18 * minute, forMs: 42 * minute, unknown: 0 },
    idleMs: hour,
    ...more,
  }
}

const watched = { mode: 'on', spared: null, earlyRestarts: 0 } as const

describe('The usage of an endpoint', () => {
  test.each([
    [undefined, 'In use: 2 requests are running or waiting.'],
    [watched, 'In use: 2 requests are running or waiting. Idle stop: a warning is posted after 1 h without requests.'],
    [
      { ...watched, mode: 'try' },
      'In use: 2 requests are running or waiting. Idle dry run: after 1 h without requests I’ll only post that it would be stopped.',
    ],
    [
      { ...watched, spared: 'it is protected' },
      'In use: 2 requests are running or waiting. Idle stop is paused: it is protected.',
    ],
  ] as const)('names the idle rule while in use: %j', (by, says) => {
    expect(english(useText(used('busy', '2 requests are running or waiting', by && { watched: by })))).toBe(says)
  })

  test('counts a starting replica as use without calling it use', () => {
    const why = say('reading.starting', { replica: 'r1', state: 'starting' })
    expect(english(useText(used('busy', why)))).toBe('Counts as in use: replica r1 is starting.')
  })

  test('names the idle rule while unknown, and how to tell replicas apart', () => {
    const use = used('unknown', 'nobody has looked yet', { watched })
    expect(english(useText(use))).toBe(
      'Usage unknown: nobody has looked yet. Until that’s known, it won’t be stopped for being idle. Idle stop: a warning is posted after 1 h without requests.',
    )
    expect(
      english(useText(used('unknown', 'nobody has looked yet', { watched: { ...watched, spared: 'it is frozen' } }))),
    ).toBe('Usage unknown: nobody has looked yet. Idle stop is paused: it is frozen.')
    const apart = english(useText({ ...use, last: { ...use.last, evidence: { ...evidence, seen: 0 } } }))
    expect(apart).toContain('To tell replicas apart')
  })

  test('names the idle rule of a stopped endpoint', () => {
    const stopped = (by: Use['watched']) =>
      english(useText({ ...used('quiet', ''), last: null, ...(by && { watched: by }) }))
    expect(stopped(watched)).toBe('Idle stop: once it’s running, a warning is posted after 1 h without requests.')
    expect(stopped({ ...watched, spared: 'it is protected' })).toBe('Idle stop is paused: it is protected.')
  })

  test('says from when idle time counts if not all of it does', () => {
    const quiet = (forMs: number) =>
      english(
        useText(used('quiet', 'no counter moved', { watched, clock: { since: hour - forMs, forMs, unknown: 0 } })),
      )
    expect(quiet(42 * minute)).toBe(
      'Idle for 42 min (no counter moved, from vLLM metrics). Idle stop: a warning is posted after 1 h without requests.',
    )
    expect(quiet(20 * minute)).toContain(`after 1 h without requests, counted from ${instant(40 * minute)}.`)
    expect(quiet(0)).toContain(`after 1 h without requests, counted from ${instant(hour)}.`)
  })
})
