import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import type { Goal, Send } from '../../../src/core/model/plan.ts'
import { noEvidence } from '../../../src/core/model/reading.ts'
import type { Request, Status, Via } from '../../../src/core/model/request.ts'
import { type StopEvidence, stopsIn } from '../../../src/features/savings/stops.ts'

interface Told {
  readonly via?: Via
  readonly status?: Status
  readonly before?: boolean | null
  readonly outcome?: NonNullable<Send['outcome']>['kind']
  readonly replicas?: number
  /** Somebody pressed Stop now. */
  readonly pressed?: boolean
  /** The person's one-time request that the stop ends or carries out. */
  readonly asked?: string
}

/** A request with one call per step, made at `at` (ms); each effect is seen 1 ms later. */
function request(at: number, goals: readonly Goal[], told: Told = {}): Request {
  const {
    via = 'typed',
    status = 'succeeded',
    before = goals[0] === 'stopped',
    outcome = 'answered',
    replicas = 2,
  } = told
  return {
    id: `r${at}`,
    project: 'default',
    kind: 'operation',
    line: 'stop my-llm',
    actor: { team: 'T0', user: 'U0ANA' },
    place: { channel: 'C0OPS' },
    via,
    receivedAt: at,
    status,
    endpoint: { id: 'ep-llm', name: 'my-llm' },
    plan: goals.map((goal) => ({ says: goal, call: { method: 'post', path: '/' }, goal, repeatable: true })),
    progress: goals.map((goal, step) => ({
      sends: [
        { at: at + step * 2, before: { at: at + step * 2, active: before, replicas }, outcome: { kind: outcome, at } },
      ],
      looks: outcome === 'answered' ? [{ at: at + step * 2 + 1, active: goal !== 'stopped' }] : [],
      done: true,
    })),
    ending: { at: at + 10, says: '' },
    ...(told.asked !== undefined && { asked: told.asked }),
    ...(told.pressed === true && { decision: { by: { team: 'T0', user: 'U0ANA' }, at, yes: true } }),
    notes: [],
    nextAt: null,
  }
}

function listed(active: boolean | null, at = 9_000): StopEvidence {
  const endpoint: Endpoint = { id: 'ep-llm', name: 'my-llm', active, gpu: 'RTX 4090' }
  return { listed: { at, endpoints: [endpoint] }, holds: [], watched: new Map() }
}
const nothing: StopEvidence = { listed: null, holds: [], watched: new Map() }

const stop = (at: number, told?: Told) => request(at, ['stopped'], told)
const start = (at: number, told?: Told) => request(at, ['serving'], told)

describe('A stop', () => {
  test('is found with its cause, its replicas and when it was seen', () => {
    expect(stopsIn([stop(100, { via: 'idle' })], listed(false))).toEqual([
      { endpoint: 'ep-llm', name: 'my-llm', gpu: 'RTX 4090', replicas: 2, at: 101, by: 'idle', start: null },
    ])
  })

  test('of the idle watch counts as manual if somebody pressed Stop now', () => {
    expect(stopsIn([stop(100, { via: 'idle', pressed: true })], listed(false))[0]?.by).toBe('person')
    expect(stopsIn([stop(100, { via: 'schedule', pressed: true })], listed(false))[0]?.by).toBe('schedule')
    expect(stopsIn([stop(100, { via: 'schedule', asked: 'start my-llm for 2h' })], listed(false))[0]?.by).toBe('person')
  })

  test.each<[string, Request]>([
    ['that failed', stop(100, { status: 'failed' })],
    ['of what was stopped already', stop(100, { before: false })],
    ['in the middle of a restart', request(100, ['stopped', 'serving'])],
  ])('%s does not count', (_, one) => {
    expect(stopsIn([one], listed(false))).toEqual([])
  })
})

describe('The end of a stop', () => {
  test.each<[string, Request, object]>([
    ['a start by a person', start(500), { at: 500, by: 'person' }],
    ['a start by a rule', start(500, { via: 'schedule' }), { at: 500, by: 'rule' }],
    ['a start that may have worked', start(500, { outcome: 'failed', status: 'attention' }), { at: 500, by: 'person' }],
    [
      'what was seen by another request, counted to when it was certainly stopped',
      stop(500, { before: true }),
      { at: 101, by: 'unseen', foundAt: 500 },
    ],
  ])('is %s', (_, next, end) => {
    expect(stopsIn([next, stop(100)], listed(true))[0]?.start).toEqual(end)
  })

  test.each(['refused', 'failed'] as const)('is not a start that the platform %s', (outcome) => {
    expect(stopsIn([stop(100), start(500, { outcome, status: 'failed' })], listed(false))[0]?.start).toBeNull()
  })

  test('is taken from the list if the start was not seen', () => {
    expect(stopsIn([stop(100)], listed(true))[0]?.start).toEqual({ at: 101, by: 'unseen', foundAt: 9_000 })
  })

  test('ignores a list from before the stop', () => {
    expect(stopsIn([stop(100)], listed(true, 50))[0]?.start).toBeNull()
  })

  test('is unknown if there is no list, or only one from before the stop', () => {
    expect(stopsIn([stop(100)], nothing)[0]?.start).toEqual({ at: 101, by: 'unseen' })
    expect(stopsIn([stop(100)], { ...nothing, listed: { at: 50, endpoints: [] } })[0]?.start?.by).toBe('unseen')
  })

  test('never comes for an endpoint that was deleted while it was stopped', () => {
    const listed = { at: 9_000, endpoints: [] }
    expect(stopsIn([stop(100)], { ...nothing, listed })[0]?.start).toBeNull()
  })

  test('is when the rules noticed a start elsewhere', () => {
    const hold = { kind: 'hold', id: 'h', endpoint: 'ep-llm', at: 400, until: 800, by: 'console' } as const
    expect(stopsIn([stop(100)], { ...listed(true), holds: [hold] })[0]?.start).toEqual({ at: 400, by: 'person' })
  })

  const minute = 60_000
  test.each([
    ['when it was first seen running', 0, [5, 9], [], { at: 5 * minute, by: 'person' }],
    ['when its replica started', 4 * minute, [5, 9], [], { at: 4 * minute, by: 'person' }],
    ['our start, if it was seen running after that', 0, [5, 9], [start(3 * minute)], { at: 3 * minute, by: 'person' }],
    [
      'unseen, if it was seen running before and long after the stop',
      0,
      [-1, 30],
      [],
      { at: 101, foundAt: 25 * minute },
    ],
    ['our start, if looks missed the stop', -1, [-1, 5.2], [start(30_000)], { at: 30_000, by: 'person' }],
    ['unknown, if a late look saw it', 0, [-1, 1], [], null],
  ])('is %s, even if it was stopped elsewhere since', (_, newest, [from = 0, to = 0], more, end) => {
    const segment = { state: 'busy', why: '', evidence: noEvidence, from: from * minute, to: to * minute } as const
    const known = { ...listed(false, 60 * minute), watched: new Map([['ep-llm', { newest, segments: [segment] }]]) }
    const [found] = stopsIn([stop(100), ...more], known)
    if (end === null) expect(found?.start).toBeNull()
    else expect(found?.start).toMatchObject(end)
  })
})

test('Each stop has an end of its own', () => {
  const found = stopsIn([stop(700), start(500), stop(100)], listed(false))
  expect(found.map(({ at, start: end }) => [at, end?.at])).toEqual([
    [101, 500],
    [701, undefined],
  ])
})
