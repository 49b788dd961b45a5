import { describe, expect, test } from 'vitest'
import { withLeaseLost } from '../../../src/adapters/redis/connection/calls.ts'
import { isEnded, type Request } from '../../../src/core/model/request.ts'
import { say } from '../../../src/core/model/words.ts'
import { LeaseLost } from '../../../src/core/ports/services.ts'
import { parsedBy } from '../../../src/core/requests/in-words.ts'
import { commands } from '../../../src/features/command-table.ts'
import { cardOf } from '../../../src/lifecycle/messages/card.ts'
import { peopled, policyWith } from '../../support/memory/cast.ts'
import type { Trouble } from '../../support/memory/platform.ts'
import { presses, type Stage, staged, swept, types } from '../../support/memory/stage.ts'
import { english, sentenceIn } from '../../support/words.ts'

/* An endpoint that we stop for a restart or a patch runs again, whatever happens to the calls. */

const minute = 60_000
const restart = ['stop', 'start', 'scale'] as const
const patch = ['stop', 'patch', 'start', 'scale'] as const

function calls({ platform }: Stage): readonly string[] {
  return platform.made.map(({ call }) => (call.method === 'patch' ? 'patch' : (call.path.split('/').at(-1) ?? '')))
}

/** Passes time, a second at a time, until the request has ended. Returns the request and how long that took, in ms. */
async function lived(stage: Stage, id: string, most = 45 * minute): Promise<readonly [Request, number]> {
  const began = stage.clock.now()
  for (;;) {
    const request = await stage.store.load(id)
    if (request === null) throw new Error('It is gone.')
    const took = stage.clock.now() - began
    if (isEnded(request.status)) return [request, took]
    if (took > most) throw new Error(`Not over after ${took / minute} min: ${JSON.stringify(request.progress)}`)
    stage.clock.pass(1_000)
    await new Promise<void>((resolve) => void setImmediate(resolve))
    stage.mortal.replaced()
    await swept(stage)
  }
}

interface Course {
  /** What happens to the calls, in order. */
  readonly troubles?: readonly Trouble[]
  /** The call during which the worker dies. */
  readonly dies?: string
  readonly before?: (stage: Stage) => unknown
}

async function begun(line: string, { troubles = [], dies, before }: Course = {}): Promise<readonly [Stage, string]> {
  const stage = staged(peopled(policyWith({ stop: 'confirmation' })))
  before?.(stage)
  const { platform, mortal } = stage
  platform.stopMs = 2_500
  platform.troubles.push(...troubles)
  const watching = platform.onCall
  let left = dies
  platform.onCall = (made) => {
    watching(made)
    if (left === undefined || !made.call.path.endsWith(`/${left}`)) return
    left = undefined
    mortal.diesAfter(1)
  }
  await types(stage, 'U0ANA', line, 'C0OPS')
  await stage.work()
  const id = stage.requests[0] ?? ''
  await presses(stage, 'U0ANA', id, true)
  await stage.work()
  return [stage, id]
}

const unclear: readonly (readonly [string, Course['troubles'], string?])[] = [
  ['does not arrive', ['unknown']],
  ['is carried out without an answer', ['lost']],
  ['is rejected as busy for two seconds', ['busy']],
  ['finds no connection', ['unreached']],
  ['does not arrive five times', ['unknown', 'unknown', 'unknown', 'unknown', 'unknown']],
  ['is rejected as busy eight times', ['busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'busy']],
  ['does not arrive, and its worker dies', ['unknown'], 'start'],
  ['is carried out, and its worker dies', ['none'], 'start'],
]
const plans = [
  ['restart my-llm', restart],
  ['patch my-llm port=9000', patch],
] as const

test.each(
  plans.flatMap(([line, plan]) => unclear.map(([what, troubles, dies]) => ({ line, plan, what, troubles, dies }))),
)('$line: a start that $what is repeated until the endpoint runs', async ({ line, plan, troubles = [], dies }) => {
  const before = plan.slice(0, plan.indexOf('start')).map(() => 'none' as const)
  const [stage, id] = await begun(line, { troubles: [...before, ...troubles], ...(dies && { dies }) })
  const [request] = await lived(stage, id)
  expect(stage.platform.endpoints.get('ep-0')).toMatchObject({ active: true, replicas: 3 })
  expect(request.status).toBe('succeeded')
  expect(calls(stage).filter((call) => call !== 'start')).toEqual(plan.filter((call) => call !== 'start'))
  expect([...stage.oracle.faults, ...stage.complaints]).toEqual([])
})

type Question = 'lateOf' | 'records' | 'rememberLate'

/** After `after` platform calls, makes a store query fail `times` times. Returns a counter of its calls since then. */
function fails({ services, platform }: Stage, name: Question, times: number, after = 1): () => number {
  const { [name]: real } = services.store
  let asked = 0
  async function act(...args: unknown[]): Promise<unknown> {
    if (platform.made.length < after) return (real as (...all: unknown[]) => unknown)(...args)
    asked += 1
    if (asked > times) return (real as (...all: unknown[]) => unknown)(...args)
    throw new Error('A fault of ours.')
  }
  Object.assign(services.store, { [name]: act })
  return () => asked
}

test.each(['lateOf', 'records', 'rememberLate'] as const)(
  'an internal error at %s after the stop does not leave the endpoint stopped',
  async (name) => {
    let asked = (): number => Number.NaN
    const [stage, id] = await begun('restart my-llm', {
      troubles: ['none', 'unknown'],
      before: (begun) => {
        asked = fails(begun, name, 1)
      },
    })
    const [request] = await lived(stage, id)
    expect(asked()).toBeGreaterThan(0)
    expect(request.status).toBe('succeeded')
    expect(stage.platform.endpoints.get('ep-0')).toMatchObject({ active: true, replicas: 3 })
  },
)

test('an internal error before the first call is reported at once', async () => {
  const stage = staged(peopled(policyWith({ stop: 'confirmation' })))
  async function records(): Promise<never> {
    throw new TypeError('A fault of ours.')
  }
  Object.assign(stage.services.store, withLeaseLost({ ...stage.services.store, records }))
  await types(stage, 'U0ANA', 'stop my-llm', 'C0OPS')
  await stage.work()
  expect(await stage.store.load(stage.requests[0] ?? '')).toMatchObject({
    status: 'failed',
    ending: { says: [{ say: 'end.failed', with: { deed: 'stop my-llm' } }, { say: 'request.broke' }] },
  })
})

const lasting = Number.POSITIVE_INFINITY

test('an internal error after an unclear call leaves it known that the call may still arrive', async () => {
  const [stage, id] = await begun('start my-tts', {
    troubles: ['unknown'],
    before: (begun) => fails(begun, 'records', lasting, 1),
  })
  const [request] = await lived(stage, id)
  expect(request).toMatchObject({ status: 'attention', ending: { says: { say: 'request.broke' } } })
  expect(await stage.store.lateOf('ep-1')).toMatchObject({ goal: 'serving' })
})

test.each([
  ['stop', 1, 'It’s stopped.', [{ label: say('endpoint.start', { name: 'my-llm' }), line: 'start ep-0' }]],
  ['start', 2, 'It’s running.', [{ label: say('step.scaleAgain', { count: '3' }), line: 'scale ep-0 to 3' }]],
] as const)(
  'an error that persists after the %s is retried ever less often for 30 min, then the rest is offered',
  async (_, after, state, offers) => {
    let asked = (): number => Number.NaN
    const [stage, id] = await begun('restart my-llm', {
      before: (begun) => {
        asked = fails(begun, 'records', lasting, after)
      },
    })
    const [request, took] = await lived(stage, id)
    expect(took).toBeGreaterThanOrEqual(30 * minute)
    expect(took).toBeLessThan(35 * minute)
    expect(asked()).toBeGreaterThan(20)
    expect(asked()).toBeLessThan(80)
    expect(request).toMatchObject({ status: 'attention', ending: { offers } })
    expect(english(request.ending?.says ?? '')).toBe(
      `${sentenceIn('request.brokeBack', { name: 'my-llm' })} ${state} The log has the details under this request.`,
    )
  },
)

test('an endpoint runs again after ten minutes of errors following the stop', async () => {
  const [stage, id] = await begun('restart my-llm', { before: (stage) => fails(stage, 'records', 25) })
  const [request, took] = await lived(stage, id)
  expect(took).toBeGreaterThan(10 * minute)
  expect(request.status).toBe('succeeded')
  expect(stage.platform.endpoints.get('ep-0')).toMatchObject({ active: true, replicas: 3 })
})

test.each([
  ['for minutes', 4 * minute, 'succeeded'],
  ['forever', lasting, 'attention'],
])('a request that kills its workers %s after the stop is retried with pauses', async (_, until, status) => {
  const [stage, id] = await begun('restart my-llm')
  const { clock, mortal, platform } = stage
  const [began, arrive] = [clock.now(), platform.arrive.bind(platform)]
  let deaths = 0
  platform.arrive = (call) => {
    if (clock.now() - began > until) return arrive(call)
    deaths += 1
    mortal.diesAfter(0)
    throw new LeaseLost('This worker is dead.')
  }
  const [request] = await lived(stage, id)
  expect(request.status).toBe(status)
  expect(deaths).toBeGreaterThan(5)
  expect(deaths).toBeLessThan(70)
  const offers =
    status === 'succeeded' ? undefined : [{ label: say('endpoint.start', { name: 'my-llm' }), line: 'start ep-0' }]
  expect(request.ending?.offers).toEqual(offers)
})

test('a start that the platform accepted but did not carry out is sent again', async () => {
  const [stage, id] = await begun('restart my-llm', { troubles: ['none', 'promised', 'promised'] })
  const [request] = await lived(stage, id)
  expect(stage.platform.endpoints.get('ep-0')).toMatchObject({ active: true, replicas: 3 })
  expect(calls(stage)).toEqual(['stop', 'start', 'start', 'start', 'scale'])
  expect(request.status).toBe('succeeded')
})

test('a start that the platform accepted and carried out late keeps its answer', async () => {
  const [stage, id] = await begun('restart my-llm', { troubles: ['none', 'promised'] })
  const { platform, clock } = stage
  const began = clock.now()
  while (clock.now() < began + 15_000) {
    clock.pass(1_000)
    await swept(stage)
    if (clock.now() === began + 14_000) platform.atConsole('ep-0', 'start')
  }
  const [request] = await lived(stage, id)
  expect(calls(stage)).toEqual(restart)
  expect(request).toMatchObject({ status: 'succeeded' })
  const told = (await stage.store.eventsOf(id)).map(({ what }) => what)
  expect(told).toContain('not seen yet')
  expect(told).not.toContain('unknown')
  const says = (await stage.store.eventsOf(id)).map(({ detail }) => detail)
  expect(english([request.ending?.says ?? '', ...says.map((one) => one ?? '')])).not.toContain('no clear answer')
})

test('an endpoint that a person stops after it came up again stays stopped', async () => {
  const [stage, id] = await begun('restart my-llm')
  while (calls(stage).length < 2) {
    stage.clock.pass(1_000)
    await swept(stage)
  }
  stage.clock.pass(2_000)
  await swept(stage)
  stage.platform.atConsole('ep-0', 'stop')
  const [request] = await lived(stage, id)
  expect(calls(stage)).toEqual(['stop', 'start'])
  expect(english(request.ending?.says ?? '')).toContain('stopped my-llm in the meantime')
})

test('other requests refer to the one that is restoring the endpoint', async () => {
  const [stage, id] = await begun('restart my-llm', { troubles: ['none', ...Array<Trouble>(9).fill('unknown')] })
  await types(stage, 'U0BEN', 'stop my-llm', 'C0OPS')
  await types(stage, 'U0ANA', 'cancel my-llm', 'C0OPS')
  await stage.work()
  const [, stop = '', cancel = ''] = stage.requests
  expect(await stage.store.load(stop)).toMatchObject({ status: 'refused', ending: { about: id } })
  expect(english((await stage.store.load(cancel))?.ending?.says ?? '')).toContain('is already being restored')
})

test('an unclear scale that restores the replicas is not sent again but offered', async () => {
  const [stage, id] = await begun('restart my-llm', { troubles: ['none', 'none', 'unknown'] })
  const [request] = await lived(stage, id)
  expect(stage.platform.endpoints.get('ep-0')).toMatchObject({ active: true, replicas: 1 })
  expect(calls(stage)).toEqual(restart)
  expect(request).toMatchObject({
    status: 'attention',
    ending: { offers: [{ label: say('step.scaleAgain', { count: '3' }), line: 'scale ep-0 to 3' }] },
  })
})

test('a start that the platform refuses is reported at once, in its words, and offered', async () => {
  const [stage, id] = await begun('restart my-llm', { troubles: ['none', 'refused'] })
  const [request, took] = await lived(stage, id)
  expect(took).toBeLessThan(5_000)
  expect(calls(stage)).toEqual(['stop', 'start'])
  expect(request).toMatchObject({
    status: 'failed',
    ending: {
      quote: 'The platform will not.',
      offers: [{ label: say('endpoint.start', { name: 'my-llm' }), line: 'start ep-0' }],
    },
  })
})

test('a start that never gets an answer is retried ever less often for 30 min, then offered', async () => {
  const [stage, id] = await begun('restart my-llm', { troubles: ['none', ...Array<Trouble>(99).fill('unknown')] })
  const [request, took] = await lived(stage, id)
  expect(took).toBeGreaterThanOrEqual(30 * minute)
  expect(took).toBeLessThan(32 * minute)
  const made = stage.platform.made.slice(1).map(({ at }) => at)
  expect(made.length).toBeGreaterThan(20)
  expect(made.length).toBeLessThan(40)
  expect(request).toMatchObject({
    status: 'attention',
    ending: { offers: [{ label: say('endpoint.start', { name: 'my-llm' }) }] },
  })
})

const lost: Course = { troubles: ['none', 'unknown'], dies: 'start' }
const untaken: Course = { troubles: ['none', 'busy'] }

test.each([
  ['got lost is sent again after an outage of an hour', lost, [], ['stop', 'start', 'start', 'scale'], 'succeeded'],
  [
    'got lost is not sent again if somebody stopped the endpoint',
    lost,
    ['start', 'stop'],
    ['stop', 'start'],
    'attention',
  ],
  ['was not taken is sent again after it', untaken, [], ['stop', 'start', 'start', 'scale'], 'succeeded'],
  ['was not taken is not sent again if somebody did', untaken, ['start', 'stop'], ['stop', 'start'], 'failed'],
] as const)('a start that %s', async (_, course, atConsole, made, status) => {
  const [stage, id] = await begun('restart my-llm', course)
  while (calls(stage).length < 2) {
    stage.clock.pass(1_000)
    await swept(stage)
  }
  stage.clock.pass(30 * minute)
  for (const what of atConsole) stage.platform.atConsole('ep-0', what)
  stage.clock.pass(30 * minute)
  const [request] = await lived(stage, id)
  expect([calls(stage), request.status]).toEqual([made, status])
})

const unread = { kind: 'unreached', says: 'No connection.' } as const
const missing = { kind: 'refused', status: 404, says: 'Not found.' } as const

/** Lets reads fail for `ms` from now on. */
function unreadable({ platform, clock }: Stage, ms: number, outcome: typeof unread | typeof missing = unread): void {
  const arrive = platform.arrive.bind(platform)
  const back = clock.now() + ms
  platform.arrive = (call) => (call.method === 'get' && clock.now() < back ? outcome : arrive(call))
}

test.each([
  ['the first reads after it fail', 0, unread],
  ['reads failed before it and go on failing at first', 30, unread],
  ['reads missed the endpoint before it and go on missing it at first', 30, missing],
] as const)('a start that got lost is sent again after an outage, although %s', async (_, seconds, outcome) => {
  const [stage, id] = await begun('restart my-llm', lost)
  while (calls(stage).length < 2) {
    stage.clock.pass(1_000)
    await swept(stage)
  }
  const { clock } = stage
  unreadable(stage, 60 * minute + 30_000, outcome)
  for (let n = 0; n < seconds; n += 1) {
    clock.pass(1_000)
    stage.mortal.replaced()
    await swept(stage)
  }
  clock.pass(60 * minute - seconds * 1_000)
  const [request] = await lived(stage, id)
  expect([calls(stage), request.status]).toEqual([['stop', 'start', 'start', 'scale'], 'succeeded'])
})

test('a start that was answered is not called slow because the first reads after an outage fail', async () => {
  const [stage, id] = await begun('restart my-llm')
  unreadable(stage, 20 * minute + 30_000)
  stage.clock.pass(20 * minute)
  const [request] = await lived(stage, id)
  expect([calls(stage), request.status]).toEqual([restart, 'succeeded'])
})

test.each([
  ['sent, although no read has shown the stop', 17, restart],
  ['said to be unread only once', 60, ['stop', 'start']],
] as const)('a start after a stop that can’t be read is %s', async (_, minutes, made) => {
  const before = (stage: Stage) => {
    const { onCall } = stage.platform
    stage.platform.onCall = (made) => {
      onCall(made)
      if (made.call.path.endsWith('/stop')) unreadable(stage, minutes * minute)
    }
  }
  const [stage, id] = await begun('restart my-llm', { before })
  const [request] = await lived(stage, id, 70 * minute)
  expect([calls(stage), request.status]).toEqual([made, 'attention'])
  expect(english(request.ending?.says ?? '').split('can’t be read')).toHaveLength(2)
})

test('a stop without an answer is not given up because the first reads after an outage fail', async () => {
  const [stage, id] = await begun('stop my-llm', { troubles: ['lost'], dies: 'stop' })
  unreadable(stage, 20 * minute + 30_000)
  stage.clock.pass(20 * minute)
  const [request] = await lived(stage, id)
  expect([calls(stage), request.status]).toEqual([['stop'], 'succeeded'])
})

test('a stop without an answer that can’t be read any more is said to be in no state that an old read showed', async () => {
  const [stage, id] = await begun('stop my-llm', { troubles: ['unknown'] })
  stage.clock.pass(1_000)
  await swept(stage)
  unreadable(stage, 60 * minute)
  const [request] = await lived(stage, id)
  expect(english(request.ending?.says ?? '')).toBe(
    'I can’t tell what happened to my-llm, because its state can’t be read. Check it on the platform.',
  )
})

test('a start that got lost is given up while each read takes longer than an outage', async () => {
  const [stage, id] = await begun('restart my-llm', lost)
  while (calls(stage).length < 2) {
    stage.clock.pass(1_000)
    await swept(stage)
  }
  const { platform, clock } = stage
  const [arrive, now] = [platform.arrive.bind(platform), clock.now.bind(clock)]
  let read = 0
  // The lease, which lasts longer than a call, is not lost.
  clock.now = () => now() + read
  platform.arrive = (call) => {
    if (call.method !== 'get') return arrive(call)
    read += 90_000
    return { kind: 'unknown', says: 'No answer.' }
  }
  const [request] = await lived(stage, id)
  expect([calls(stage), request.status]).toEqual([['stop', 'start'], 'attention'])
})

test('an unclear patch is not sent again: the start follows at once, and the end says what is unknown', async () => {
  const [stage, id] = await begun('patch my-llm port=9000', { troubles: ['none', 'unknown'] })
  const [request, took] = await lived(stage, id)
  expect(took).toBeLessThan(minute)
  expect(calls(stage)).toEqual(patch)
  expect(request).toMatchObject({ status: 'attention' })
  expect(english(request.ending?.says ?? '')).toContain(
    'It’s running again, but I can’t tell whether the new settings were applied.',
  )
})

describe('While an unanswered stop could still arrive', () => {
  test('a later start waits, says so, and is then sent', async () => {
    const [stage, stop] = await begun('stop my-llm', { troubles: ['unknown'] })
    const unclearAt = stage.platform.made[0]?.at ?? 0
    const [stopped, took] = await lived(stage, stop)
    expect(stopped.status).toBe('succeeded')
    expect(took).toBeLessThan(90_000)
    await types(stage, 'U0ANA', 'start my-llm', 'C0OPS')
    await stage.work()
    const start = stage.requests[1] ?? ''
    const waiting = await stage.store.load(start)
    expect(waiting).toMatchObject({ status: 'running', nextAt: unclearAt + 2 * minute })
    if (waiting === null) throw new Error('It is gone.')
    expect(english(cardOf(parsedBy(commands, waiting), stage.clock.now()).says)).toContain(
      'could still undo this, so I’m waiting until',
    )
    const [started] = await lived(stage, start)
    expect(started.status).toBe('succeeded')
    expect(stage.platform.made.map(({ at }) => at - unclearAt >= 2 * minute)).toEqual([false, false, true])
  })

  test('a waiting start can be cancelled', async () => {
    const [stage, stop] = await begun('stop my-llm', { troubles: ['unknown'] })
    await lived(stage, stop)
    await types(stage, 'U0ANA', 'start my-llm', 'C0OPS')
    await stage.work()
    await types(stage, 'U0ANA', 'cancel my-llm', 'C0OPS')
    await stage.work()
    expect(await stage.store.load(stage.requests[1] ?? '')).toMatchObject({ status: 'cancelled' })
    expect(calls(stage)).toEqual(['stop', 'stop'])
  })

  test('a restart leaves the endpoint running, and stops it only afterwards', async () => {
    const [stage, id] = await begun('restart my-llm', { troubles: ['unknown'] })
    const [request] = await lived(stage, id)
    expect(request.status).toBe('succeeded')
    expect(calls(stage)).toEqual(['stop', 'stop', 'start', 'scale'])
    const [first = 0, second = 0, third = 0] = stage.platform.made.map(({ at }) => at)
    expect(second - first).toBeGreaterThanOrEqual(2 * minute)
    expect(third - second).toBeLessThan(minute)
  })
})

test('while the platform rejects a call, the card says why and when it is sent again', async () => {
  const [stage, id] = await begun('restart my-llm', { troubles: ['none', 'busy'] })
  const waiting = await stage.store.load(id)
  if (waiting === null) throw new Error('It is gone.')
  const { says: text } = cardOf(parsedBy(commands, waiting), stage.clock.now())
  expect(english(text)).toContain('The platform didn’t accept the call: “Too many requests” Trying again in 2 s')
})
