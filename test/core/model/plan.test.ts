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

describe('Progress', () => {
  test.each<[Goal, boolean, readonly (string | undefined)[], GoalProgress]>([
    ['serving', true, ready, 'reached'],
    ['serving', true, bad, 'failed'],
    ['serving', true, other, 'coming'],
    ['serving', false, all, 'away'],
    ['stopped', true, all, 'coming'],
    ['stopped', false, all, 'reached'],
  ])('toward %s, with is_active %s and a status among %j, is %s', (goal, active, statuses, progress) => {
    const found = statuses.map((status) => [status, progressOf(goal, endpoint(active, status))])
    expect(found).toEqual(statuses.map((status) => [status, progress]))
  })

  test('follows is_active when the status contradicts it', () => {
    expect(progressOf('stopped', endpoint(false, 'RUNNING'))).toBe('reached')
    expect(progressOf('stopped', endpoint(true, 'STOPPED'))).toBe('coming')
    expect(progressOf('serving', endpoint(false, 'RUNNING'))).toBe('away')
  })

  test('toward serving is neither reached nor lost by a partial read', () => {
    for (const active of [true, false, null])
      for (const status of all) {
        expect(progressOf('serving', endpoint(active, status, 'The look-up failed.'))).toBe('coming')
        expect(progressOf('serving', endpoint(null, status))).toBe('coming')
      }
  })

  test('toward stopped depends on is_active alone, and is “coming” while that is unknown', () => {
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
  ])('toward 3 replicas, with %j, is %s', (read, progress) => {
    expect(progressOf('scaled:3', { ...endpoint(true), ...read })).toBe(progress)
  })

  test.each<[Partial<Endpoint>, GoalProgress]>([
    [{ replicas: 3 }, 'reached'],
    [{ replicas: 5 }, 'reached'],
    [{ replicas: 2 }, 'coming'],
    [{}, 'coming'],
    [{ active: false, replicas: 3 }, 'away'],
  ])('toward 3 or more replicas, with %j, is %s', (read, progress) => {
    expect(progressOf('restored:3', { ...endpoint(true), ...read })).toBe(progress)
  })

  test('is reached with the answer if nothing can be read back', () => {
    for (const active of [true, false, null])
      expect(progressOf('answered', endpoint(active, undefined, 'The look-up failed.'))).toBe('reached')
  })
})

test('only the intended effect of a call proves that the call took effect', () => {
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
