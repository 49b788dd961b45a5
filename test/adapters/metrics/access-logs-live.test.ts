import { describe, expect, test } from 'vitest'
import { areSilent, isDue, readAccessLogs } from '../../../src/adapters/metrics/access-logs.ts'
import type { Replica } from '../../../src/core/model/endpoint.ts'
import type { LogTail } from '../../../src/core/ports/endpoint-use.ts'

const minute = 60_000
const [a, b] = ['a', 'b'].map((id): Replica => ({ id, state: 'RUNNING', node: null, startedAt: null }))
if (a === undefined || b === undefined) throw new Error('There are two replicas.')
const both = [a, b]

function heard(line: number, texts: readonly string[] = [], whole = true): LogTail {
  return { place: { file: 'today.log', line }, lines: texts.map((text) => ({ text })), whole }
}

/** Reads the logs twice, five minutes apart. */
async function twice(first: Readonly<Record<string, LogTail>>, second: Readonly<Record<string, LogTail>>) {
  const before = await readAccessLogs(async () => first, both, undefined, 0)
  return readAccessLogs(async () => second, both, before, 5 * minute)
}

describe('Logs', () => {
  test('show nothing when they are first read, whatever is in them', async () => {
    const first = await readAccessLogs(async () => ({ a: heard(7, ['POST /v1/chat 200'], false) }), both, undefined, 0)
    expect(first).toEqual({ at: 0, places: { a: { file: 'today.log', line: 7 } }, silent: [] })
  })

  test('are read from where the last read ended, for the replicas that remain', async () => {
    const before = await readAccessLogs(async () => ({ a: heard(7), b: heard(9) }), both, undefined, 0)
    const asked: unknown[] = []
    const answer = async (from: unknown) => {
      asked.push(from)
      return {}
    }
    const next = await readAccessLogs(answer, [a], before, 5 * minute)
    expect(asked).toEqual([{ a: { file: 'today.log', line: 7 } }])
    expect(next).toEqual({ at: 5 * minute, places: { a: { file: 'today.log', line: 7 } }, silent: [] })
  })

  test('are silent if only health checks were logged, and show use by any other line', async () => {
    const quiet = await twice({ a: heard(1), b: heard(1) }, { a: heard(2, ['GET /health 200']), b: heard(1) })
    expect(areSilent(quiet, both, 5 * minute)).toBe(true)
    const busy = await twice({ a: heard(1), b: heard(1) }, { a: heard(1), b: heard(2, ['POST /v1/chat 200']) })
    expect(busy).toMatchObject({ silent: ['a'], spoke: 'b' })
  })

  test('prove nothing if one of them can’t be read completely', async () => {
    const first = { a: heard(1), b: heard(1) }
    expect(areSilent(await twice(first, { a: heard(1) }), both, 5 * minute)).toBe(false)
    expect(areSilent(await twice(first, { a: heard(1), b: heard(3, [], false) }), both, 5 * minute)).toBe(false)
  })

  test('are read every five minutes, and the result stays valid a little longer', async () => {
    const quiet = await twice({ a: heard(1), b: heard(1) }, { a: heard(1), b: heard(1) })
    expect([isDue(undefined, 0), isDue(quiet, 9 * minute), isDue(quiet, 10 * minute)]).toEqual([true, false, true])
    expect([11, 13].map((at) => areSilent(quiet, both, at * minute))).toEqual([true, false])
  })
})
