import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import { type Goal, type GoalProgress, progressOf, showsEffect } from '../../../src/core/model/plan.ts'

function endpoint(active: boolean | null, status?: string, problem?: string): Endpoint {
  return {
    id: 'ep-1',
    name: 'my-llm',
    active,
    ...(status !== undefined && { status }),
    ...(problem !== undefined && { problem }),
  }
}

const ready = ['RUNNING', 'running', 'Running', undefined]
const bad = ['DEPLOY_FAILED', 'UNHEALTHY', 'FAILED', 'ERROR', 'CrashLoopBackOff', 'failed']
const other = ['DEPLOYING', 'UPDATING', 'STOPPED', 'NOT_STARTED', 'NOT RUNNING', 'RUNNING_SOON', 'X-RUNNING', '', '—']

const all = [...ready, ...bad, ...other]

describe('Where a goal stands', () => {
  test.each<[Goal, boolean, readonly (string | undefined)[], GoalProgress]>([
    ['serving', true, ready, 'reached'],
    ['serving', true, bad, 'failed'],
    ['serving', true, other, 'coming'],
    ['serving', false, all, 'away'],
    ['stopped', true, all, 'coming'],
    ['stopped', false, all, 'reached'],
  ])('to be %s, with is_active %s and one of %j, is %s', (goal, active, statuses, standing) => {
    const found = statuses.map((status) => [status, progressOf(goal, endpoint(active, status))])
    expect(found).toEqual(statuses.map((status) => [status, standing]))
  })

  test('is_active is believed before a status that contradicts it', () => {
    expect(progressOf('stopped', endpoint(false, 'RUNNING'))).toBe('reached')
    expect(progressOf('stopped', endpoint(true, 'STOPPED'))).toBe('coming')
    expect(progressOf('serving', endpoint(false, 'RUNNING'))).toBe('away')
  })

  test('to be serving is never reached nor lost by half a read', () => {
    for (const active of [true, false, null])
      for (const status of all) {
        expect(progressOf('serving', endpoint(active, status, 'The look-up failed.'))).toBe('coming')
        expect(progressOf('serving', endpoint(null, status))).toBe('coming')
      }
  })

  test('to be stopped is told by is_active alone, and by nothing where that was not read', () => {
    const problem = 'The look-up failed.'
    for (const status of all) {
      expect(progressOf('stopped', endpoint(false, status, problem))).toBe('reached')
      expect(progressOf('stopped', endpoint(true, status, problem))).toBe('coming')
      expect(progressOf('stopped', endpoint(null, status, problem))).toBe('coming')
    }
  })

  test.each<[Partial<Endpoint>, GoalProgress]>([
    [{ active: true, replicas: 3 }, 'reached'],
    [{ active: true, replicas: 3, replicasByState: { RUNNING: 3 } }, 'reached'],
    [{ active: true, replicas: 3, replicasByState: { RUNNING: 2, PENDING: 1 } }, 'coming'],
    [{ active: true, replicas: 3, replicasByState: { PENDING: 3 } }, 'coming'],
    [{ active: true, replicas: 2 }, 'coming'],
    [{ active: true, replicas: 30 }, 'coming'],
    [{ active: true }, 'coming'],
    [{ active: false, replicas: 3 }, 'away'],
    [{ active: null, replicas: 3 }, 'coming'],
    [{ active: true, replicas: 3, problem: 'The look-up failed.' }, 'coming'],
  ])('to be scaled to 3, with %j, is %s', (read, standing) => {
    expect(progressOf('scaled:3', { ...endpoint(true), ...read })).toBe(standing)
  })

  test.each<[Partial<Endpoint>, GoalProgress]>([
    [{ replicas: 3 }, 'reached'],
    [{ replicas: 5 }, 'reached'],
    [{ replicas: 2 }, 'coming'],
    [{}, 'coming'],
    [{ active: false, replicas: 3 }, 'away'],
  ])('to be restored to 3 or more, with %j, is %s', (read, standing) => {
    expect(progressOf('restored:3', { ...endpoint(true), ...read })).toBe(standing)
  })

  test('where nothing can be read back, the answer was the goal', () => {
    for (const active of [true, false, null])
      expect(progressOf('answered', endpoint(active, undefined, 'The look-up failed.'))).toBe('reached')
  })
})

test('only what a call was to bring about proves that it took effect', () => {
  const goals: readonly Goal[] = ['stopped', 'serving', 'scaled:3', 'answered']
  const reads = [
    { active: true, replicas: 1 },
    { active: false, replicas: 1 },
    { active: null, replicas: 1 },
    { active: true, replicas: 3 },
    { active: true },
  ]
  expect(goals.map((goal) => reads.map((read) => showsEffect(goal, read)))).toEqual([
    [false, true, false, false, false],
    [true, false, false, true, true],
    [false, false, false, true, false],
    [false, false, false, false, false],
  ])
})
