import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Need } from '../../src/core/ports/meter.ts'
import { keyWatch } from '../../src/core/ports/platform.ts'
import { asText } from '../../src/core/words/render.ts'
import { createReadiness } from '../../src/ops/readiness.ts'

function started(reasons: Partial<Record<Need, string | null>>) {
  const readiness = createReadiness(['storage', 'key', 'rules'], ['hunter2hunter2'])
  for (const need of ['storage', 'key', 'rules'] as const) readiness.probe(need, () => reasons[need] ?? null)
  return readiness
}

test('a process is ready when all its needs are met', async () => {
  const well = { ok: true }
  expect(await started({}).find()).toEqual({ ready: true, checks: { storage: well, key: well, rules: well } })
})

test('a starting process is not ready, and says what it waits for', async () => {
  const readiness = createReadiness(['storage', 'slack'], [])
  const find = async () => (await readiness.find()).checks
  const starting = { ok: null, why: 'It is starting.' }
  expect(await readiness.find()).toEqual({ ready: false, checks: { storage: starting, slack: starting } })
  // Only the check of the service itself fails: nothing is known of the others yet.
  for (const [service, need, other] of [
    ['Redis', 'storage', 'slack'],
    ['Slack', 'slack', 'storage'],
  ] as const) {
    const why = `Waiting for ${service}: connect ECONNREFUSED`
    readiness.awaited(service, 'connect ECONNREFUSED')
    expect(await find()).toEqual({ [need]: { ok: false, why }, [other]: { ok: null, why } })
    readiness.awaited(service, null)
  }
  expect(await find()).toEqual({ storage: starting, slack: starting })
  for (const need of ['storage', 'slack'] as const) readiness.probe(need, () => null)
  expect(await readiness.find()).toEqual({ ready: true, checks: { storage: { ok: true }, slack: { ok: true } } })
})

test('a fault is reported once: late rules point to the storage or the key behind it', async () => {
  const late = 'nobody has checked them'
  expect((await started({ rules: late }).find()).checks.rules).toEqual({ ok: false, why: late })
  for (const cause of ['storage', 'key'] as const) {
    const { ready, checks } = await started({ rules: late, [cause]: 'away' }).find()
    expect(ready).toBe(false)
    expect(checks).toMatchObject({ [cause]: { ok: false, why: 'away' }, rules: { ok: null, why: `See ${cause}.` } })
  }
})

test('a bot without workers is ready and reports it', async () => {
  const readiness = createReadiness(['storage', 'workers'], [])
  readiness.probe('storage', () => null)
  readiness.probe('workers', () => 'none')
  expect(await readiness.find()).toEqual({
    ready: true,
    checks: { storage: { ok: true }, workers: { ok: false, why: 'none' } },
  })
})

test('a reason contains no secret, whether it is returned or thrown', async () => {
  const says = 'redis://:hunter2hunter2@10.0.0.1 refuses'
  expect(JSON.stringify(await started({ storage: says }).find())).not.toContain('hunter2')
  const readiness = createReadiness(['storage'], ['hunter2hunter2'])
  readiness.probe('storage', () => Promise.reject(new Error(says)))
  expect((await readiness.find()).checks.storage).toEqual({
    ok: false,
    why: expect.stringMatching(/\[masked\].*refuses$/),
  })
})

test('every failing part of a need is reported, and the same reason once', async () => {
  const readiness = started({})
  readiness.probe('storage', () => 'The other connection is away.')
  for (let projects = 0; projects < 2; projects += 1) readiness.probe('storage', () => 'It is full.')
  const why = 'The other connection is away. It is full.'
  expect((await readiness.find()).checks.storage).toEqual({ ok: false, why })
})

test('a probe that does not answer is given up after 2 s', async () => {
  const readiness = createReadiness(['storage', 'slack'], [])
  readiness.probe('storage', () => new Promise(() => undefined))
  readiness.probe('slack', () => null)
  const { checks } = await readiness.find()
  expect(checks).toEqual({ storage: { ok: false, why: 'There was no answer within 2 s.' }, slack: { ok: true } })
})

test('a running process logs when a check begins to fail, fails otherwise, and passes again, each once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reasons: Partial<Record<Need, string>> = {}
  const readiness = createReadiness(['storage', 'key', 'rules'], ['hunter2hunter2'])
  for (const need of ['storage', 'key', 'rules'] as const) readiness.probe(need, () => reasons[need] ?? null)
  const said: string[] = []
  const watch = readiness.watch({ warn: (fields, words) => void said.push(`${words} ${JSON.stringify(fields)}`) })
  const minute = () => vi.advanceTimersByTimeAsync(60_000)
  await minute()
  expect(said).toEqual([])
  Object.assign(reasons, { storage: 'redis://:hunter2hunter2@10.0.0.1 is full', rules: 'nobody has checked them' })
  await minute()
  for (const seconds of [12, 22]) {
    reasons.storage = `It is read-only, for ${seconds} s.`
    await minute()
  }
  expect(said.splice(0)).toEqual([
    expect.stringMatching(/^a check fails {"check":"storage","why":"redis:.*\[masked\].* is full"}$/),
    'a check fails {"check":"storage","why":"It is read-only, for 12 s."}',
  ])
  delete reasons.storage
  await minute()
  delete reasons.rules
  await minute()
  expect(said.splice(0)).toEqual([
    'a check passes again {"check":"storage"}',
    'a check fails {"check":"rules","why":"nobody has checked them"}',
    'a check passes again {"check":"rules"}',
  ])
  await watch.stop()
  reasons.key = 'It is refused.'
  await minute()
  expect(said).toEqual([])
})

test('the trouble of one project does not hide when that of another begins and ends', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const readiness = createReadiness(['key'], [])
  const failing = new Set<string>()
  for (const project of ['alpha', 'beta'])
    readiness.probe('key', () => (failing.has(project) ? `${project}: It is refused.` : null))
  const said: unknown[] = []
  const watch = readiness.watch({ warn: (fields, words) => void said.push([words, 'why' in fields && fields.why]) })
  onTestFinished(() => watch.stop())
  const minute = () => vi.advanceTimersByTimeAsync(60_000)
  for (const act of [
    () => failing.add('alpha'),
    () => failing.add('beta'),
    () => failing.delete('alpha'),
    () => failing.delete('beta'),
  ]) {
    act()
    await minute()
  }
  expect(said).toEqual([
    ['a check fails', 'alpha: It is refused.'],
    ['a check fails', 'alpha: It is refused. beta: It is refused.'],
    ['a check fails', 'beta: It is refused.'],
    ['a check passes again', false],
  ])
})

describe('the platform key', () => {
  const minute = 60_000

  function watched() {
    const outcomes = {
      takes: { kind: 'answered', answer: { project: 'p' } },
      refuses: { kind: 'refused', status: 401, says: 'Invalid API key' },
      fails: { kind: 'failed', status: 500, says: 'oops' },
    }
    const state: { now: number; platform: keyof typeof outcomes; tries: number } = {
      now: 0,
      platform: 'takes',
      tries: 0,
    }
    async function send(): Promise<unknown> {
      state.tries += 1
      return outcomes[state.platform]
    }
    const check = keyWatch({ send } as never, { monotonic: () => state.now })
    /** Asks twice, because a check that runs in the background counts from the next call on. */
    const isWell = async () => {
      await check()
      await Promise.resolve()
      return (await check()).well
    }
    return { state, isWell, says: async () => asText((await check()).says, 'en') }
  }

  test('counts as accepted for ten minutes after its last success', async () => {
    const { state, isWell, says } = watched()
    expect(await isWell()).toBe(true)
    state.platform = 'fails'
    state.now = 10 * minute - 1
    expect(await isWell()).toBe(true)
    state.now = 10 * minute
    expect(await isWell()).toBe(false)
    expect(await says()).toBe('The platform answered 500: oops. Try again later, or look at its status page.')
    state.platform = 'takes'
    state.now += 10_000
    expect(await isWell()).toBe(true)
  })

  test('that the platform refuses is not well from the next try on', async () => {
    const { state, isWell } = watched()
    expect(await isWell()).toBe(true)
    state.platform = 'refuses'
    state.now = minute
    expect(await isWell()).toBe(false)
    state.platform = 'fails'
    state.now += minute
    expect(await isWell()).toBe(false)
    state.platform = 'takes'
    state.now += minute
    expect(await isWell()).toBe(true)
  })

  test('is tried once a minute while it is accepted and every ten seconds otherwise', async () => {
    const { state, isWell } = watched()
    for (state.now = 0; state.now < 5 * minute; state.now += 5_000) await isWell()
    expect(state.tries).toBe(5)
    state.platform = 'refuses'
    state.now = 20 * minute
    state.tries = 0
    for (const end = state.now + minute; state.now < end; state.now += 1_000) expect(await isWell()).toBe(false)
    expect(state.tries).toBe(6)
  })

  test('that was never accepted is not well', async () => {
    const { state, isWell } = watched()
    state.platform = 'refuses'
    expect(await isWell()).toBe(false)
  })
})
