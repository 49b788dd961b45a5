import { describe, expect, test } from 'vitest'
import type { LogReading } from '../../../src/adapters/metrics/access-logs.ts'
import { type LookMemory, type MetricsLook, readLook } from '../../../src/adapters/metrics/reading.ts'
import type { Sample } from '../../../src/adapters/metrics/sample.ts'
import type { Replica } from '../../../src/core/model/endpoint.ts'
import { inEnglish } from '../../support/words.ts'
import { page, sample } from './fixtures.ts'

const minute = 60_000

function replica(id: string, more: Partial<Replica> = {}): Replica {
  return { id, state: 'RUNNING', node: null, startedAt: 1_795_140_000, ...more }
}

/** A sample of a vLLM server that `process` identifies; null means that nothing does. */
function vllm(process: string | null, tokens: number, open = 0): Sample {
  return {
    servers: ['vLLM'],
    open,
    counters: { 'vLLM generation_tokens': tokens, 'vLLM request_success': Math.floor(tokens / 100) },
    requests: ['vLLM request_success'],
    process,
  }
}

/** Reads looks that are one minute apart and returns all readings. */
function looks(...all: readonly Omit<MetricsLook, 'at'>[]) {
  let kept: LookMemory | null = null
  return all.map((look, i) => {
    const read = readLook({ ...look, at: i * minute }, kept)
    // Goes through JSON, as it does when it is stored.
    kept = JSON.parse(JSON.stringify(read.kept)) as LookMemory
    return inEnglish(read.reading)
  })
}

function last(...all: readonly Omit<MetricsLook, 'at'>[]) {
  return looks(...all).at(-1)
}

/** A reading of the logs at the second look, one minute in. */
function silence(silent: readonly string[], more: Partial<LogReading> = {}): { logs: LogReading } {
  return { logs: { at: minute, places: {}, silent, ...more } }
}

describe('An endpoint is busy', () => {
  const one = [replica('a')]

  test('with a request in flight, even at the first check', () => {
    expect(last({ replicas: one, samples: [vllm('1', 100, 2)] })).toMatchObject({
      state: 'busy',
      why: '2 requests are running or waiting',
      evidence: { open: 2 },
    })
  })

  test('when one of its counters grew', () => {
    const quiet = { replicas: one, samples: [vllm('1', 100)] }
    expect(last(quiet, { replicas: one, samples: [vllm('1', 150)] })).toMatchObject({
      state: 'busy',
      why: 'work counters went up',
    })
    expect(last(quiet, { replicas: one, samples: [vllm('1', 1500)] })).toMatchObject({
      state: 'busy',
      why: '14 requests ended since the last check',
      evidence: { requests: 14 },
    })
  })

  test('when its log has a new line, whatever its metrics say', () => {
    const quiet = { replicas: one, samples: [vllm('1', 100)] }
    expect(last(quiet, { ...quiet, ...silence([], { spoke: 'a' }) })).toMatchObject({
      state: 'busy',
      why: 'replica a wrote to its log',
    })
    expect(last(quiet, { ...quiet, ...silence([], { spoke: 'a', at: 0 }) })?.state).toBe('quiet')
  })

  test('while a replica starts or stops', () => {
    const replicas = [replica('a'), replica('b', { state: 'STARTING' })]
    expect(last({ replicas, samples: [] })).toMatchObject({ state: 'busy', why: 'replica b is starting' })
  })

  test('shortly after somebody changed it', () => {
    const quiet = { replicas: one, samples: [vllm('1', 100)] }
    expect(last(quiet, { ...quiet, changed: 'it was scaled 3 min ago' })).toMatchObject({
      state: 'busy',
      why: 'it was scaled 3 min ago',
    })
  })

  test('when one of its replicas is busy, whatever is known of the others', () => {
    const replicas = [replica('a'), replica('b'), replica('c')]
    const before = { replicas, samples: [vllm('1', 100), vllm('2', 100)] }
    expect(last(before, { replicas, samples: [vllm('2', 150)] })?.state).toBe('busy')
    expect(last(before, { replicas, samples: [vllm(null, 100, 1)] })?.state).toBe('busy')
  })
})

describe('An endpoint is quiet', () => {
  test('only with every gauge at zero and every counter unchanged in the same process', () => {
    const look = { replicas: [replica('a')], samples: [sample(page('vllm-idle'))] }
    expect(last(look, look)).toEqual({
      state: 'quiet',
      why: 'no requests',
      evidence: { servers: ['vLLM'], requests: 0, open: 0, replicas: 1, seen: 1, logs: 0 },
    })
  })

  test('only if as many processes as replicas were seen', () => {
    const replicas = [replica('a'), replica('b'), replica('c')]
    const all = { replicas, samples: [vllm('1', 100), vllm('2', 200), vllm('1', 100), vllm('3', 300)] }
    expect(last(all, all)).toMatchObject({ state: 'quiet', why: 'no requests on all 3 replicas' })
    const most = { replicas, samples: [vllm('1', 100), vllm('2', 200)] }
    expect(last(all, most)).toMatchObject({
      state: 'unknown',
      why: 'only the metrics of 2 of 3 replicas could be read and told apart',
    })
  })

  test('by the logs of replicas that no scrape reached, if its server logs every request', () => {
    const replicas = [replica('a'), replica('b'), replica('c')]
    const most = { replicas, samples: [vllm('1', 100), vllm('2', 200)], ...silence(['a', 'b', 'c']) }
    expect(last(most, most)).toMatchObject({
      state: 'quiet',
      why: 'no requests on 2, and no log lines from 1 of 3 replicas',
      evidence: { seen: 2, logs: 1 },
    })
    expect(last(most, { ...most, ...silence(['a', 'b']) })).toMatchObject({
      state: 'unknown',
      why: 'only the metrics of 2 of 3 replicas could be read and told apart, and not all logs could be read',
    })
    expect(last(most, { ...most, ...silence(['a', 'b', 'c'], { at: -7 * minute }) })?.state).toBe('unknown')
    const silent = { ...most, samples: [{ ...vllm('1', 100), servers: ['web'] }] }
    expect(last(silent, silent)?.state).toBe('unknown')
  })

  test('by its logs if metrics can’t tell replicas apart', () => {
    const replicas = [replica('a'), replica('b')]
    const look = { replicas, samples: [sample(page('tgi-idle'))] }
    expect(last(look, look)?.state).toBe('unknown')
    const witnessed = { ...look, ...silence(['a', 'b']) }
    expect(last(witnessed, witnessed)).toMatchObject({
      state: 'quiet',
      why: 'no log lines from 2 of 2 replicas',
      evidence: { seen: 0, logs: 2 },
    })
  })
})

describe('The state of an endpoint is unknown', () => {
  const one = [replica('a')]
  const look = { replicas: one, samples: [vllm('1', 100)] }

  test('at the first check', () => {
    expect(last(look)).toMatchObject({ state: 'unknown', why: 'this is the first check' })
  })

  test('when it could not be read, with the reason', () => {
    const missing = 'the metrics took longer than 5 s'
    expect(last(look, { replicas: one, samples: [], missing })).toMatchObject({ state: 'unknown', why: missing })
    expect(last(look, { replicas: one, samples: [] })?.state).toBe('unknown')
    expect(last(look, { replicas: [], samples: [] })?.state).toBe('unknown')
  })

  test('when none of its metrics show use', () => {
    const blind = { replicas: one, samples: [sample('process_open_fds 5\n')] }
    expect(last(blind, blind)).toMatchObject({
      state: 'unknown',
      why: 'none of the metrics show whether it’s used',
    })
  })

  test('when a counter went down, and the idle time starts again', () => {
    expect(last(look, { replicas: one, samples: [vllm('1', 90)] })).toMatchObject({
      state: 'unknown',
      why: 'a counter dropped, so the server was restarted',
      restarted: true,
    })
    const gone = { ...vllm('1', 100), counters: {} }
    expect(last(look, { replicas: one, samples: [gone] })).toMatchObject({ restarted: true })
  })

  test('when a process has a new start time, and the idle time starts again', () => {
    const anew = { replicas: one, samples: [vllm('2', 100)] }
    expect(last(look, anew)).toMatchObject({ state: 'unknown', why: 'a server was restarted', restarted: true })
    expect(last(look, anew, anew)?.state).toBe('quiet')
  })

  test('when a replica was replaced, even if its metrics don’t show it', () => {
    const tgi = { replicas: one, samples: [sample(page('tgi-idle'))] }
    expect(last(tgi, tgi)?.state).toBe('quiet')
    expect(last(tgi, { ...tgi, replicas: [replica('b')] })).toMatchObject({ restarted: true })
    expect(last(tgi, { ...tgi, replicas: [replica('a', { startedAt: 1_795_149_999 })] })).toMatchObject({
      restarted: true,
    })
  })

  test('when one of several replicas was restarted', () => {
    const replicas = [replica('a'), replica('b')]
    const both = { replicas, samples: [vllm('1', 100), vllm('2', 100)] }
    expect(last(both, { replicas, samples: [vllm('1', 100), vllm('3', 0)] })).toMatchObject({ restarted: true })
  })

  test('when a replica is seen for the first time, which is no restart', () => {
    const replicas = [replica('a'), replica('b')]
    const reading = last({ replicas, samples: [vllm('1', 100)] }, { replicas, samples: [vllm('1', 100), vllm('2', 5)] })
    expect(reading).toMatchObject({ state: 'unknown', why: 'a replica is new' })
    expect(reading?.restarted).toBeUndefined()
  })

  test('but not when it is scaled down and the processes that stay are known', () => {
    const replicas = [replica('a'), replica('b'), replica('c')]
    const all = { replicas, samples: [vllm('1', 100), vllm('2', 200), vllm('3', 300)] }
    const left = { replicas: [replica('b')], samples: [vllm('2', 200)] }
    expect(looks(all, left, left).map(({ state }) => state)).toEqual(['unknown', 'quiet', 'quiet'])
    expect(last(all, { ...left, samples: [vllm('4', 0)] })).toMatchObject({ restarted: true })
  })

  test('when a gauge stays above zero for 15 min while nothing moves, and busy before that', () => {
    const stuck = { replicas: one, samples: [vllm('1', 100, 1)] }
    const readings = looks(...Array.from({ length: 17 }, () => stuck))
    expect(readings.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 15 }, () => 'busy'),
      'unknown',
      'unknown',
    ])
    expect(readings.at(-1)?.why).toMatch(/^requests are shown as running, but nothing has moved for 15 min/)
    expect(
      last(...Array.from({ length: 17 }, () => stuck), { replicas: one, samples: [vllm('1', 101, 1)] })?.state,
    ).toBe('busy')
  })

  test.each([0, 1])('15 min after the last request began, with %i running before it, whenever one ended', (before) => {
    const long = Array.from({ length: 20 }, () => ({ replicas: one, samples: [vllm('1', 100, before)] }))
    const begun = Array.from({ length: 16 }, () => ({ replicas: one, samples: [vllm('1', 100, before + 1)] }))
    const states = looks(...long, ...begun).map(({ state }) => state)
    expect(states.slice(20)).toEqual([...Array.from({ length: 15 }, () => 'busy'), 'unknown'])
  })
})

test('A process that was not seen for a while is compared with its last known values', () => {
  const replicas = [replica('a'), replica('b')]
  const both = { replicas, samples: [vllm('1', 100), vllm('2', 100)] }
  const first = { replicas, samples: [vllm('1', 100)] }
  expect(looks(both, first, both).map(({ state }) => state)).toEqual(['unknown', 'unknown', 'quiet'])
  expect(last(both, first, { replicas, samples: [vllm('1', 100), vllm('2', 150)] })?.state).toBe('busy')
})

test('The memory of an endpoint stays small, however often its servers restart', () => {
  const replicas = [replica('a'), replica('b')]
  let kept: LookMemory | null = null
  for (let i = 0; i < 200; i += 1) kept = readLook({ at: i * minute, replicas, samples: [vllm(`${i}`, 1)] }, kept).kept
  expect(Object.keys(kept?.processes ?? {}).length).toBeLessThanOrEqual(60)
})
