import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/core/commands/define.ts'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import { start } from '../../../src/features/endpoints/start.ts'
import { stop } from '../../../src/features/endpoints/stop.ts'
import { inEnglish } from '../../support/words.ts'

const llm: Endpoint = { id: 'ep-llm', name: 'my-llm', active: true }

const bounds = { replicas: 100, away: 0, keep: 0 }

describe('A plan is a value', () => {
  test('start is one call, and done when the endpoint serves', () => {
    expect(start.steps({ endpoint: 'my-llm' }, llm)).toEqual([
      {
        says: 'start',
        call: {
          method: 'post',
          path: '/endpoints/{endpoint_id}/start',
          params: { path: { endpoint_id: 'ep-llm' } },
        },
        goal: 'serving',
        repeatable: true,
      },
    ])
  })

  test('stop is one call, and done when the endpoint is stopped', () => {
    expect(stop.steps({ endpoint: 'my-llm' }, llm)).toEqual([
      {
        says: 'stop',
        call: {
          method: 'post',
          path: '/endpoints/{endpoint_id}/stop',
          params: { path: { endpoint_id: 'ep-llm' } },
        },
        goal: 'stopped',
        repeatable: true,
      },
    ])
  })

  test('that is stored is the same when it is read', () => {
    for (const { steps } of [start, stop]) {
      const plan = steps({ endpoint: 'my-llm' }, llm)
      expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
    }
  })

  test('names the endpoint by id alone, whatever it is called and whoever asks why', () => {
    const renamed = { ...llm, name: '../other' }
    for (const { steps } of [start, stop])
      expect(steps({ endpoint: '../other', because: 'x' }, renamed)).toEqual(steps({ endpoint: 'my-llm' }, llm))
  })
})

describe('Something makes no sense', () => {
  test.each<[string, Operation, boolean | null, string | false]>([
    ['start', start, true, 'my-llm is already running.'],
    ['start', start, false, false],
    ['start', start, null, false],
    ['stop', stop, false, 'my-llm is already stopped.'],
    ['stop', stop, true, false],
    ['stop', stop, null, false],
  ])('%s, when is_active is as given', (_name, row, active, says) => {
    expect(inEnglish(row.unless({ ...llm, active }, { endpoint: 'my-llm' }, bounds))).toBe(says)
  })

  test('a stop hurts, a start does not', () => {
    expect([start.impact({}), stop.impact({})]).toEqual(['reversible', 'disruptive'])
  })
})
