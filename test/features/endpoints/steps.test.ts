import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/core/commands/define.ts'
import type { Endpoint } from '../../../src/core/model/endpoint.ts'
import { whyOf } from '../../../src/core/policy/requirement.ts'
import { start } from '../../../src/features/endpoints/start.ts'
import { stop } from '../../../src/features/endpoints/stop.ts'
import { english, inEnglish } from '../../support/words.ts'

const llm: Endpoint = { id: 'ep-llm', name: 'my-llm', active: true }

const bounds = { replicas: 100, away: 0, keep: 0 }

describe('A plan', () => {
  test('of a start is one call whose goal is that the endpoint serves', () => {
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

  test('of a stop is one call whose goal is that the endpoint is stopped', () => {
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

  test('survives JSON', () => {
    for (const { steps } of [start, stop]) {
      const plan = steps({ endpoint: 'my-llm' }, llm)
      expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
    }
  })

  test('depends only on the endpoint’s id, not on its name or the reason', () => {
    const renamed = { ...llm, name: '../other' }
    for (const { steps } of [start, stop])
      expect(steps({ endpoint: '../other', because: 'x' }, renamed)).toEqual(steps({ endpoint: 'my-llm' }, llm))
  })
})

describe('The rows of start and stop', () => {
  test.each<[string, Operation, boolean | null, string | false]>([
    ['start', start, true, 'my-llm is already running.'],
    ['start', start, false, false],
    ['start', start, null, false],
    ['stop', stop, false, 'my-llm is already stopped.'],
    ['stop', stop, true, false],
    ['stop', stop, null, false],
  ])('refuse only what is_active already shows: %s', (_name, row, active, says) => {
    expect(inEnglish(row.unless({ ...llm, active }, { endpoint: 'my-llm' }, bounds))).toBe(says)
  })

  test('say of a starting endpoint that it is starting, as its row does', () => {
    const coming = { ...llm, active: true, status: 'DEPLOYING' }
    expect(inEnglish(start.unless(coming, { endpoint: 'my-llm' }, bounds))).toBe('my-llm is already starting.')
    expect(english(whyOf(coming, 'active'))).toMatch(/^It’s starting/)
  })

  test('say of a failed endpoint that it is failing, not that it is running', () => {
    const failed = { ...llm, active: true, status: 'DEPLOY_FAILED' }
    expect(inEnglish(start.unless(failed, { endpoint: 'my-llm' }, bounds))).toBe(
      'my-llm is failing. A restart may help.',
    )
    expect(english(whyOf(failed, 'active'))).toMatch(/^It’s failing/)
  })

  test('have different impacts: a stop is disruptive, a start reversible', () => {
    expect([start.impact({}), stop.impact({})]).toEqual(['reversible', 'disruptive'])
  })
})
